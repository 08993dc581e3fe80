import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EventType } from '../../../functions/core/catalogue/event-type.ts';
import { CatalogueError } from '../../../lib/events/catalogue-error.ts';
import { EventCatalogue } from '../../../lib/events/event-catalogue.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-events-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder with these files. */
function filled(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    const at = path.join(folder, name, file);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, text);
  }
  return path.join(folder, name);
}

const shown = (name: string) => path.relative(process.cwd(), path.join(folder, name));

/** What is said of a catalogue. */
function faultsOf(make: () => unknown): readonly string[] {
  try {
    make();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(CatalogueError);
    return (error as CatalogueError).faults;
  }
}

const typed = (over: object): EventType =>
  ({ name: 'invoice.paid', description: 'It was paid.', ...over }) as EventType;
const faultsOfTypes = (...types: object[]) => faultsOf(() => EventCatalogue.fromTypes(types.map(typed)));
const faultsOfSchema = (schema: object, over: object = {}) => faultsOfTypes({ schema, ...over });

describe('a folder', () => {
  test('has a type in each file of JSON or YAML, whatever else lies there', () => {
    const from = filled('good', {
      'b.yaml': 'name: invoice.sent\ndescription: It was sent.\naliases: [InvoiceSent]\ndeprecated: true\n',
      'a.json': '\uFEFF{"name":"invoice.paid","description":"It was paid.","resource_type":"invoice"}',
      'parcels/lost.yml':
        'name: parcel.lost\ndescription: |-\n  It was lost.\nsample: { number: 2026-01-01 }\n',
      'README.md': '# Ours',
    });
    expect(EventCatalogue.fromDirectory(from).types).toEqual([
      { name: 'invoice.paid', description: 'It was paid.', resource_type: 'invoice' },
      { name: 'invoice.sent', description: 'It was sent.', aliases: ['InvoiceSent'], deprecated: {} },
      { name: 'parcel.lost', description: 'It was lost.', sample: { number: '2026-01-01' } },
    ]);
  });

  test('that is not there, or has no types, is told what to do', () => {
    expect(faultsOf(() => EventCatalogue.fromDirectory(path.join(folder, 'nowhere')))).toEqual([
      `${shown('nowhere')} is not a folder that can be read (ENOENT): give the folder that has a file for each event type.`,
    ]);
    const from = filled('none', { 'README.md': '# Ours' });
    expect(faultsOf(() => EventCatalogue.fromDirectory(from))).toEqual([
      `${shown('none')} has no file that ends in .json, .yaml, .yml: write one for each event type (docs/publishing.md, "Your event types").`,
    ]);
  });

  test('names each file that cannot be read, with its line', () => {
    const from = filled('broken', {
      'a.json': '{"name":',
      'b.yaml': 'name: [\n',
      'c.yaml': 'name: a\nname: b\n',
    });
    const faults = faultsOf(() => EventCatalogue.fromDirectory(from));
    expect(faults).toHaveLength(3);
    expect(faults[0]).toContain(`${shown('broken/a.json')} cannot be read: `);
    expect(faults[1]).toMatch(/b\.yaml cannot be read: .* at line \d/);
    expect(faults[2]).toMatch(/c\.yaml cannot be read: Map keys must be unique at line 2/);
  });

  test('names each member that is wrong, what was given, and what is expected', () => {
    const from = filled('wrong', { 'a.yaml': 'name: sample.x\ntitel: Invoice\naliases: [a b]\n' });
    expect(faultsOf(() => EventCatalogue.fromDirectory(from))).toEqual([
      `${shown('wrong/a.yaml')}: name must be neither ping nor begin with sample.: test pings have these names (given: "sample.x")`,
      `${shown('wrong/a.yaml')}: description is missing`,
      `${shown('wrong/a.yaml')}: aliases.0 must be 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit (given: "a b")`,
      `${shown('wrong/a.yaml')}: the file must not have titel`,
    ]);
    const list = filled('list', { 'a.yaml': '- name: a\n' });
    expect(faultsOf(() => EventCatalogue.fromDirectory(list))).toEqual([
      `${shown('list/a.yaml')}: the file must be an object, not a list`,
    ]);
  });
});

test.each([
  ['ping', 'must be neither ping nor begin with sample.'],
  ['sample.', 'must be neither ping nor begin with sample.'],
  ['sample.x', 'must be neither ping nor begin with sample.'],
  ['', 'must be 1 to 64'],
  ['a*', 'must be 1 to 64'],
  ['..', 'must be 1 to 64'],
  ['x'.repeat(65), 'must be 1 to 64'],
])('a type cannot be named %j', (name, why) => {
  expect(faultsOfTypes({ name })).toEqual([expect.stringContaining(why)]);
});

test.each(['invoice.paid', 'pings', 'Ping', 'samples', 'sample', 'A_b-c.1', 'x'.repeat(64), '7'])(
  'a type can be named %s',
  (name) => {
    expect(faultsOfTypes({ name })).toEqual([]);
  },
);

test('a name stands for one type', () => {
  expect(
    faultsOfTypes(
      { name: 'a', aliases: ['x', 'y'] },
      { name: 'b', aliases: ['x', 'a'] },
      { name: 'b', aliases: ['z', 'z'] },
    ),
  ).toEqual([
    'a must stand for one type, and is given as name in type 1 of the list (a), alias in type 2 of the list (b): rename all but one.',
    'x must stand for one type, and is given as alias in type 1 of the list (a), alias in type 2 of the list (b): rename all but one.',
    'b must stand for one type, and is given as name in type 2 of the list (b), name in type 3 of the list (b): rename all but one.',
    'z must stand for one type, and is given as alias in type 3 of the list (b), alias in type 3 of the list (b): rename all but one.',
  ]);
});

test('a successor is another type of the catalogue', () => {
  const deprecated = (successor: string) => ({ name: 'a', deprecated: { successor } });
  expect(faultsOfTypes(deprecated('b'), { name: 'b' })).toEqual([]);
  for (const successor of ['a', 'c']) {
    expect(faultsOfTypes(deprecated(successor), { name: 'b' })).toEqual([
      `type 1 of the list (a): deprecated.successor must be the name of another type in this catalogue (given: "${successor}")`,
    ]);
  }
});

describe('a schema', () => {
  const TREE = {
    type: 'object',
    properties: { of: { type: 'array', items: { $ref: '#' } }, name: { type: 'string' } },
  };

  test('says why it refuses a sample', () => {
    expect(
      faultsOfSchema(
        { type: 'object', required: ['total'], properties: { total: { type: 'number' } } },
        { sample: { total: 'ten' } },
      ),
    ).toEqual([
      'type 1 of the list (invoice.paid): sample does not fit schema: /total must be number. Change one of the two.',
    ]);
    expect(
      faultsOfSchema({ properties: { at: { format: 'date-time' } } }, { sample: { at: 'now' } }),
    ).toEqual([expect.stringContaining('/at must match format "date-time"')]);
  });

  test('may refer to itself', () => {
    expect(faultsOfSchema(TREE, { sample: { of: [{ of: [], name: 'leaf' }] } })).toEqual([]);
    expect(faultsOfSchema(TREE, { sample: { of: [{ of: [], name: 7 }] } })).toEqual([
      expect.stringContaining('/of/0/name must be string'),
    ]);
    const named = {
      $defs: { name: true, 'a/b': { type: 'string' } },
      properties: { n: { $ref: '#/$defs/name' }, ab: { $ref: '#/$defs/a~1b' } },
    };
    expect(faultsOfSchema(named, { sample: { n: 1, ab: 'x' } })).toEqual([]);
  });

  test.each([
    ['at once', { $ref: '#' }, '#'],
    [
      'by way of others',
      { $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { anyOf: [{ $ref: '#/$defs/a' }] } } },
      '#/$defs/a',
    ],
    ['in a condition', { $defs: { a: { if: { not: { $ref: '#/$defs/a' } } } } }, '#/$defs/a'],
    [
      'in a property named const',
      { properties: { const: { $ref: '#/properties/const' } } },
      '#/properties/const',
    ],
  ])('may not refer to itself without end, %s', (_, schema, place) => {
    expect(faultsOfSchema(schema)).toEqual([
      `type 1 of the list (invoice.paid): schema refers to itself without end at ${place}: a $ref back has to stand under properties, items or the like`,
    ]);
  });

  test.each(['https://example.com/address.json', 'address.json', '//example.com#/a', '#address'])(
    'may not refer to %s',
    ($ref) => {
      expect(faultsOfSchema({ properties: { a: { $ref } } })).toEqual([
        `type 1 of the list (invoice.paid): schema has $ref ${JSON.stringify($ref)} at #/properties/a: nothing is read from the net or from other files; put it under $defs and refer to it as "#/$defs/…"`,
      ]);
    },
  );

  test('may not refer to where nothing is', () => {
    expect(faultsOfSchema({ properties: { a: { $ref: '#/$defs/none' } } })).toEqual([
      expect.stringContaining('has $ref "#/$defs/none" at #/properties/a, where there is no schema'),
    ]);
  });

  test('may have an address of its own, but none within', () => {
    expect(
      faultsOfSchema({
        $id: 'https://example.com/a',
        $schema: 'https://json-schema.org/draft/2020-12/schema',
      }),
    ).toEqual([]);
    expect(faultsOfSchema({ $defs: { a: { $id: 'https://example.com/a' } } })).toEqual([
      expect.stringContaining('schema has $id at #/$defs/a'),
    ]);
    expect(
      faultsOfSchema({
        properties: { $id: { type: 'string' }, $ref: { type: 'string' } },
        enum: [{ $ref: 'x' }],
      }),
    ).toEqual([]);
  });

  test.each([
    ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, 'write it in draft 2020-12'],
    ['a keyword that is mistyped', { requierd: ['a'] }, 'unknown keyword: "requierd"'],
    ['a type that there is not', { type: 'money' }, 'is not a JSON Schema of draft 2020-12'],
    [
      'a pattern that is none',
      { properties: { a: { pattern: '(' } } },
      'is not a JSON Schema of draft 2020-12',
    ],
    ['a format that nobody checks', { properties: { a: { format: 'iban' } } }, 'unknown format "iban"'],
  ])('with %s is refused', (_, schema, why) => {
    expect(faultsOfSchema(schema)).toEqual([expect.stringContaining(why)]);
  });
});

test('sizes are bounded', () => {
  expect(faultsOfTypes({ sample: { pad: 'x'.repeat(16 * 1024) } })).toEqual([
    'type 1 of the list (invoice.paid): sample must have at most 16384 bytes as JSON',
  ]);
  expect(faultsOfTypes({ schema: { description: 'x'.repeat(64 * 1024) } })).toEqual([
    'type 1 of the list (invoice.paid): schema must have at most 65536 bytes as JSON',
  ]);
  const large = Array.from({ length: 300 }, (_, n) => ({
    name: `t${n}`,
    sample: { pad: 'x'.repeat(15_000) },
  }));
  expect(faultsOfTypes(...large)).toEqual([expect.stringContaining('of 4194304 at most: shorten')]);
  expect(faultsOf(() => EventCatalogue.fromTypes([]))).toEqual([
    'The list of types is empty: a catalogue needs at least one event type.',
  ]);
});

test('a thousand types work', () => {
  const types = Array.from({ length: 1_000 }, (_, n) =>
    typed({
      name: `order.${n}`,
      aliases: [`ORDER_${n}`],
      schema: { type: 'object', properties: { total: { type: 'number' } } },
      sample: { total: n },
    }),
  );
  const { catalogue } = EventCatalogue.fromTypes(types);
  expect(catalogue.typeOf('ORDER_999')?.name).toBe('order.999');
}, 60_000);

test('at most twenty faults are shown', () => {
  const make = () => EventCatalogue.fromTypes(Array.from({ length: 30 }, () => typed({ name: 'ping' })));
  expect(make).toThrow('- and 10 more');
});
