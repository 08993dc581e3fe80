import * as z from 'zod/mini';
import { type Format, readFormat } from '../../../../functions/core/event/format-version.ts';

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
