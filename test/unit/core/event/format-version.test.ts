import * as z from 'zod/mini';
import { type Format, readFormat } from '../../../../functions/core/event/format-version.ts';

/** The third version of a parcel: the first had pounds, the second grams under the same name, the third says so in the name. */
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
])('a record of version %i is read as one of the newest', (_, record) => {
  expect(readFormat(record, PARCEL)).toEqual({ kind: 'read', value: { v: 3, weight_g: 908 } });
});

test('what was wrong with an old record is wrong with the newest that it becomes', () => {
  expect(readFormat({ v: 1, weight: 'heavy' }, PARCEL)).toEqual({
    kind: 'unreadable',
    explanation: 'weight_g: must be a number, not a string',
  });
});

test('a record of a version to come is neither read nor refused, whatever it has', () => {
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
])('%j is of no version, and unreadable', (record) => {
  expect(readFormat(record, PARCEL).kind).toBe('unreadable');
});
