import fc from 'fast-check';
import { instant } from '../../../../functions/core/text/instant.ts';

test('an instant is ISO 8601 in UTC with milliseconds', () => {
  expect(instant(1_794_650_400_007)).toBe('2026-11-14T10:00:00.007Z');
});

test('instants sort chronologically', () => {
  const ms = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
  fc.assert(fc.property(ms, ms, (a, b) => expect(instant(a) < instant(b)).toBe(a < b)));
});
