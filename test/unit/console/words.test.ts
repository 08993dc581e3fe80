import fc from 'fast-check';
import { bytes, counted, share } from '../../../console/words/numbers.ts';
import {
  distance,
  duration,
  inputOfInstant,
  instantOfInput,
  localTime,
  utc,
} from '../../../console/words/time.ts';
import { visible } from '../../../console/words/visible.ts';

test.each([
  [0.4, '0.4 ms'],
  [999, '999 ms'],
  [1_250, '1.25 s'],
  [210_000, '3.5 min'],
  [7_200_000, '2 h'],
  [3 * 86_400_000, '3 d'],
])('a duration of %d ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test.each([
  [40_200, '40 s'],
  [180_000, '3 min'],
  [7_200_000, '2 h'],
  [4 * 86_400_000, '4 d'],
])('what is %d ms away is %s away', (ms, text) => {
  expect(distance(ms)).toBe(text);
});

test('a time of today stands without its day, another with it', () => {
  const noon = Date.parse('2026-11-23T12:00:00Z');
  expect(localTime('2026-11-23T11:09:02.120Z', noon, 'UTC')).toBe('11:09:02');
  expect(localTime('2026-11-22T23:30:00.000Z', noon, 'UTC')).toBe('22 Nov 2026, 23:30:00');
  expect(localTime('2026-11-22T23:30:00.000Z', noon, 'Europe/Berlin')).toBe('00:30:00');
  expect(utc('2026-11-23T11:09:02.120Z')).toBe('2026-11-23 11:09:02.120 UTC');
});

test('where instants are compared, they are told to the millisecond', () => {
  const noon = Date.parse('2026-11-23T12:00:00Z');
  const at = '2026-11-23T11:09:02.120Z';
  expect(localTime(at, noon, 'UTC', 'millisecond')).toBe('11:09:02.120');
  expect(localTime(at, noon + 86_400_000, 'UTC', 'millisecond')).toBe('23 Nov 2026, 11:09:02.120');
});

test('what is no time is shown as it is', () => {
  expect(localTime('soon', 0)).toBe('soon');
  expect(utc('soon')).toBe('soon');
});

test('an instant goes through an input and comes back', () => {
  expect(instantOfInput(inputOfInstant('2026-11-23T11:09:02.000Z'))).toBe('2026-11-23T11:09:02.000Z');
  expect(instantOfInput('')).toBeUndefined();
  expect(inputOfInstant(undefined)).toBe('');
});

test.each([
  [1, '100 %'],
  [0.9995, '> 99.9 %'],
  [0.994, '99.4 %'],
  [0.82, '82 %'],
  [0.0004, '< 0.1 %'],
  [0, '0 %'],
])('a share of %d is %s', (value, text) => {
  expect(share(value)).toBe(text);
});

test('numbers carry their unit', () => {
  expect(counted(1, 'message')).toBe('1 message');
  expect(counted(1_240, 'message')).toBe('1,240 messages');
  expect(bytes(262_144)).toBe('256 KiB');
});

test('a character that would act on the reader is shown instead', () => {
  expect(visible('a\u202etxt.exe\u0000\u200b\ud800')).toBe('a\\u202etxt.exe\\u0000\\u200b\\ud800');
  expect(visible('two\nlines\tand 👩‍👩‍👧')).toBe('two\nlines\tand 👩‍👩‍👧');
});

test('no text has anything left that turns or hides what is around it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visible(text)).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u200b]/u);
    }),
  );
});
