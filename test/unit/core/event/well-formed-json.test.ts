import * as z from 'zod/mini';
import { type Format, readFormat } from '../../../../functions/core/event/format-version.ts';
import { wellFormedJson } from '../../../../functions/core/event/json-text.ts';

test.each([
  ['an unpaired first surrogate', '{"note":"cut \\ud83d"}', '{"note":"cut \uFFFD"}'],
  ['an unpaired second surrogate, in capitals', '{"note":"\\uDC69 cut"}', '{"note":"\uFFFD cut"}'],
  ['two first surrogates', '{"note":"\\ud83d\\ud83d"}', '{"note":"\uFFFD\uFFFD"}'],
  ['a pair in the wrong order', '{"note":"\\udc69\\ud83d"}', '{"note":"\uFFFD\uFFFD"}'],
  ['one in a member name', '{"\\ud800":1}', '{"\uFFFD":1}'],
  ['a whole pair, escaped', '{"note":"\\ud83d\\udc69"}', undefined],
  ['a whole pair', '{"note":"whole 👩"}', undefined],
  ['text that only looks like an escape', '{"note":"\\\\ud83d","more":"\\\\\\\\ud83d"}', undefined],
  ['control characters', '{"note":"\\u0000\\n\\"\\u001f"}', undefined],
  [
    'numbers',
    '{"note":"\\ud800","amount":12345678901234567891.10}',
    '{"note":"\uFFFD","amount":12345678901234567891.10}',
  ],
])('%s: the text is well-formed before and after parsing', (_, text, expected) => {
  const written = wellFormedJson(text);
  expect(written).toBe(expected ?? text);
  expect(JSON.stringify(JSON.parse(written))).not.toMatch(/[^\\]\\ud[89a-f]/);
});

/**
 * The third version of a parcel: version 1 has pounds, version 2 grams under the same name, version 3 renames
 * the field.
 */
const PARCEL: Format<{ v: 3; weight_g: number }> = {
  schema: z.object({ v: z.literal(3), weight_g: z.number() }),
  upgrades: [
    ({ weight, ...rest }) => ({ ...rest, v: 2, weight: typeof weight === 'number' ? weight * 454 : weight }),
    ({ weight, ...rest }) => ({ ...rest, v: 3, weight_g: weight }),
  ],
};

test.each([
  [1, { v: 1, weight: 2 }],
  [2, { v: 2, weight: 908 }],
  [3, { v: 3, weight_g: 908 }],
])('a record of version %i is read as the newest version', (_, record) => {
  expect(readFormat(record, PARCEL)).toEqual({ kind: 'read', value: { v: 3, weight_g: 908 } });
});

test('what is wrong with an old record is still wrong after its upgrade', () => {
  expect(readFormat({ v: 1, weight: 'heavy' }, PARCEL)).toEqual({
    kind: 'unreadable',
    explanation: 'weight_g: must be a number, not a string',
  });
});

test('a record of a newer version is neither read nor refused, whatever it contains', () => {
  expect(readFormat({ v: 4, weight_g: 908 }, PARCEL)).toEqual({ kind: 'newer', version: 4 });
});

test.each([
  [{ weight_g: 908 }],
  [{ v: 0 }],
  [{ v: 1.5 }],
  [{ v: '4' }],
  [{ v: null }],
  [undefined],
  [null],
  ['v'],
  [[4]],
])('%j has no version, and is unreadable', (record) => {
  expect(readFormat(record, PARCEL).kind).toBe('unreadable');
});
