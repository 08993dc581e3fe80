import fc from 'fast-check';
import { readJson, UnclearJsonError } from '../../../../functions/core/event/json-text.ts';

const textOf = (text: string, name = 'resource') => readJson(text).textOf(name);

test.each([
  ['999999999999999.99'],
  ['10.50'],
  ['-0'],
  ['1e400'],
  ['1E+2'],
  ['0.1000000000000000055511151231257827'],
  ['123456789012345678901234567890'],
])('the number %s keeps its notation in the text of its member', (number) => {
  expect(textOf(`{"resource":{"amount":${number}},"after":1}`)).toBe(`{"amount":${number}}`);
});

/** JSON text with every notation of numbers, in objects and lists, and strings that look like structure. */
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/)),
  )
  .map((parts) => parts.join(''));
const string = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '\\', '\\"', '{"a":1}', ',', ':', '[ ]', '\u0000'),
  )
  .map((text) => JSON.stringify(text));
const { value } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    number,
    string,
    fc.constantFrom('null', 'true'),
    tie('object'),
    tie('list'),
  ),
  object: fc
    .uniqueArray(fc.tuple(string, tie('value')), { selector: ([name]) => JSON.parse(name), maxLength: 5 })
    .map((members) => `{${members.map(([name, of]) => `${name}:${of}`).join(',')}}`),
  list: fc.array(tie('value'), { maxLength: 5 }).map((entries) => `[${entries.join(',')}]`),
}));

test('the text of a member is its source text, whatever it holds', () => {
  fc.assert(
    fc.property(value, value, (resource, other) => {
      expect(textOf(`{"before":${other},"resource":${resource},"after":${other}}`)).toBe(resource);
    }),
    { numRuns: 1_000 },
  );
});

const blank = fc.constantFrom('', ' ', '\n', '\t \r\n');

test('blanks between tokens are removed, blanks inside strings stay', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(string, number), { maxLength: 5 }), blank, blank, (members, one, other) => {
      const unique = members.map(([name, of], index) => [JSON.stringify(`${index}${JSON.parse(name)}`), of]);
      const written = (gap: string, last: string) =>
        `{${unique.map(([name, of]) => `${gap}${name}${last}:${gap}${of}${last}`).join(',')}}`;
      expect(textOf(`${one}{${other}"resource"${one}:${other}${written(one, other)}${one}}${other}`)).toBe(
        written('', ''),
      );
    }),
  );
});

test('a member is found by its unescaped name', () => {
  expect(textOf('{"re\\u0073ource":[1]}')).toBe('[1]');
  expect(textOf('{"__proto__":{"a":1.0}}', '__proto__')).toBe('{"a":1.0}');
});

test.each(['resource', 'toString', '__proto__'])(
  'an object without the member %s has no text for it',
  (name) => {
    expect(textOf('{"nested":{"resource":1}}', name)).toBeUndefined();
    expect(textOf('[{"resource":1}]', name)).toBeUndefined();
    expect(textOf('"resource"', name)).toBeUndefined();
  },
);

test.each([
  ['{"a":1,"a":2}', 8],
  ['{"a":{"b":1,"c":[{"d":1 , "d":1}]}}', 27],
  ['{"a":1,"\\u0061":2}', 8],
  ['{"__proto__":1,"__proto__":2}', 16],
  ['{"\\ud800":1,"\\udc00":2}', 13],
])('a duplicate member is refused with its position, not its name: %s', (text, character) => {
  expect(() => readJson(text)).toThrow(
    new UnclearJsonError(`gives a member twice in one object: see character ${character}`),
  );
});

test('the same name in two objects is not a duplicate', () => {
  expect(readJson('{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"a"}').value).toEqual({
    a: { a: 1 },
    b: [{ a: 1 }, { a: 2 }],
    c: 'a',
  });
});

test('nesting of more than a hundred levels is refused', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(() => readJson(nested(100))).not.toThrow();
  expect(() => readJson(nested(101))).toThrow(new UnclearJsonError('is nested more than 100 levels deep'));
  expect(() => readJson(nested(200_000))).toThrow(UnclearJsonError);
});

test.each(['', '{', '{"a":1}}', "{'a':1}", '{"a":01}'])('%j is not JSON', (text) => {
  expect(() => readJson(text)).toThrow(SyntaxError);
});
