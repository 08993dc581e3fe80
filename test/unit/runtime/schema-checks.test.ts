import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EventType } from '../../../functions/core/catalogue/event-type.ts';
import { offSchema } from '../../../functions/core/catalogue/schema-check.ts';
import { schemaChecksBeside } from '../../../functions/runtime/schema-checks.ts';
import { writeSchemas } from '../../../lib/events/compiled-schemas.ts';
import { EventCatalogue } from '../../../lib/events/event-catalogue.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-schemas-'));
afterAll(() => rmSync(folder, { recursive: true }));

let folders = 0;

/** What is said of resources by schemas that were compiled as for a deployment. */
function checker(schemas: Readonly<Record<string, EventType['schema']>>) {
  folders += 1;
  const at = path.join(folder, String(folders));
  const types = Object.entries(schemas).map(([name, schema]) => ({
    name,
    description: 'It happened.',
    ...(schema === undefined ? {} : { schema }),
  }));
  const { catalogue } = EventCatalogue.fromTypes(types);
  writeSchemas(at, catalogue.types);
  const checks = schemaChecksBeside(at, catalogue, 'mark');
  return (resource: unknown, type = types[0]!.name) => offSchema(resource, checks?.of(type));
}

const INVOICE = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['total'],
  properties: {
    total: { $ref: '#/$defs/amount' },
    paid_at: { type: 'string', format: 'date-time' },
    currency: { enum: ['GBP', { own: true }] },
    note: { type: 'string', maxLength: 3 },
    'a/b~c': { const: 1 },
    lines: { type: 'array', items: { $ref: '#' }, maxItems: 9, uniqueItems: true },
    way: { oneOf: [{ required: ['card'] }, { required: ['bank'] }] },
    toString: { type: 'integer' },
  },
  patternProperties: { '^x-': { type: 'integer' } },
  additionalProperties: false,
  if: { properties: { currency: { const: 'GBP' } }, required: ['currency'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { total: { multipleOf: 1 } } },
  $defs: { amount: { type: 'number', minimum: 0 } },
};

test.each([
  ['what fits', { total: 10.5 }, undefined],
  ['as many characters as there may be, one of them no UTF-16 unit', { total: 1, note: 'ab🙂' }, undefined],
  ['one of the choices, which is an object', { total: 1, currency: { own: true } }, undefined],
  ['a member that is missing', {}, '/total: required'],
  ['a value of another type', { total: 'ten' }, '/total: type'],
  ['a number beyond all doubles', JSON.parse('{"total":1e400}'), '/total: type'],
  ['a format', { total: 1, paid_at: 'today' }, '/paid_at: format'],
  ['none of the choices', { total: 1, currency: 'EUR' }, '/currency: enum'],
  ['a character too many', { total: 1, note: 'ab🙂c' }, '/note: maxLength'],
  ['a name that a pointer escapes', { total: 1, 'a/b~c': 2 }, '/a~1b~0c: const'],
  [
    'an item within an item',
    { total: 1, lines: [{ total: 2 }, { total: 3, lines: [{ total: -1 }] }] },
    '/lines/1/lines/0/total: minimum',
  ],
  ['an item twice', { total: 1, lines: [{ total: 2 }, { total: 2 }] }, '/lines: uniqueItems'],
  ['both of two ways', { total: 1, way: { card: 1, bank: 2 } }, '/way: oneOf'],
  ['neither of two ways', { total: 1, way: {} }, '/way: oneOf'],
  ['what follows from another member', { total: 1.5, currency: 'GBP' }, '/total: multipleOf'],
  ['a name that every object inherits', { total: 1, toString: 'x' }, '/toString: type'],
  ['no object', [], ': type'],
])('%s', (_, resource, said) => {
  expect(checker({ 'invoice.paid': INVOICE })(resource)).toBe(said);
});

test('names that the publisher chose are not told, be they digits', () => {
  const check = checker({ 'invoice.paid': INVOICE });
  expect(check({ total: 1, 'x-4111111111111111': 'a@b.example' })).toBe('/*: type');
  expect(check({ total: 1, 'jo@b.example': 1 })).toBe(': additionalProperties');
  const byCard = checker({ t: { additionalProperties: { type: 'integer' } } });
  expect(byCard({ 4111111111111111: 'x' })).toBe('/*: type');
});

test('nor are names of a schema that would act on a terminal', () => {
  expect(checker({ t: { required: ['\u001b[2J'] } })({})).toBe('/*: required');
});

test('a pointer is cut, however deep the resource is', () => {
  const nested = Array.from({ length: 90 }).reduce<object>((within) => ({ child: within }), { child: 1 });
  const check = checker({ t: { properties: { child: { $ref: '#' } }, type: 'object' } });
  expect(check(nested)).toBe(`${'/child'.repeat(50)}: type`);
});

test('each type has a schema of its own, or none', () => {
  const check = checker({
    'invoice.paid': INVOICE,
    'Invoice.Paid': { required: ['a'] },
    'invoice.sent': undefined,
  });
  expect([check({}), check({}, 'Invoice.Paid'), check({}, 'invoice.sent')]).toEqual([
    '/total: required',
    '/a: required',
    undefined,
  ]);
});

test('a thousand types are compiled, and each is loaded with its first event', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`type.${index}`, { properties: { a: { minimum: index } } }]),
  );
  const check = checker(schemas);
  expect(check({ a: 998 }, 'type.999')).toBe('/a: minimum');
  expect(check({ a: 998 }, 'type.998')).toBeUndefined();
});

test('what is checked stays as it is', () => {
  const resource = JSON.parse('{"total":9007199254740993,"lines":[{"total":1,"__proto__":2}]}');
  const before = JSON.stringify(resource);
  checker({ 'invoice.paid': { ...INVOICE, properties: { ...INVOICE.properties, note: { default: 'x' } } } })(
    resource,
  );
  expect(JSON.stringify(resource)).toBe(before);
});

test('a definition that is used often is compiled once', () => {
  const at = path.join(folder, 'often');
  const $defs = { long: { enum: Array.from({ length: 500 }, (_, index) => `choice ${index}`) } };
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`p${index}`, { $ref: '#/$defs/long' }]),
  );
  const { types } = EventCatalogue.fromTypes([
    { name: 't', description: 'x', schema: { properties, $defs } },
  ]);
  writeSchemas(at, types);
  expect(checker({ t: types[0]?.schema })({ p299: 'choice 500' })).toBe('/p299: enum');
});
