import {
  hourOf,
  NO_DISTRIBUTIONS,
  NOTHING,
  periodsOf,
  shownSince,
} from '../../../../functions/core/statistics/statistics.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const HALF_PAST_TEN_MS = TEN_O_CLOCK_MS + 30 * 60_000;
const hour = (since: string, delivered: number) => ({
  since,
  ...NOTHING,
  ...NO_DISTRIBUTIONS,
  delivered,
});
const shown = (since: string, delivered: number) => ({ since, ...NOTHING, delivered });

test('what happens belongs to the hour in which it happened', () => {
  expect(hourOf('2026-11-14T10:59:59.999Z')).toBe('2026-11-14T10:00:00.000Z');
  expect(hourOf('2026-11-14T11:00:00.000Z')).toBe('2026-11-14T11:00:00.000Z');
});

test('two days of hours are shown, or thirty days, the one that has begun with them', () => {
  expect(shownSince('hour', HALF_PAST_TEN_MS)).toBe('2026-11-12T11:00:00.000Z');
  expect(shownSince('day', HALF_PAST_TEN_MS)).toBe('2026-10-16T00:00:00.000Z');
});

test('every hour is shown, the oldest first, whether anything happened in it or not', () => {
  const periods = periodsOf([hour('2026-11-14T09:00:00.000Z', 3)], 'hour', HALF_PAST_TEN_MS);
  expect(periods).toHaveLength(48);
  expect(periods[0]).toEqual(shown('2026-11-12T11:00:00.000Z', 0));
  expect(periods.slice(-2)).toEqual([
    shown('2026-11-14T09:00:00.000Z', 3),
    shown('2026-11-14T10:00:00.000Z', 0),
  ]);
});

test('a day is the sum of its hours', () => {
  const figures = (times: number) => ({
    delivered: 2 * times,
    acknowledged_within_60_s: times,
    failed_attempts: 3 * times,
    exhausted: 4 * times,
    cancelled: 5 * times,
  });
  const hours = [
    { since: '2026-11-13T23:00:00.000Z', ...figures(7) },
    { since: '2026-11-14T00:00:00.000Z', ...figures(1) },
    { since: '2026-11-14T10:00:00.000Z', ...figures(10) },
  ];
  const periods = periodsOf(
    hours.map((one) => ({ ...one, ...NO_DISTRIBUTIONS })),
    'day',
    HALF_PAST_TEN_MS,
  );
  expect(periods).toHaveLength(30);
  expect(periods.slice(-2)).toEqual([
    { since: '2026-11-13T00:00:00.000Z', ...figures(7) },
    { since: '2026-11-14T00:00:00.000Z', ...figures(11) },
  ]);
});

test('the times to send of a day are those of its hours together, not a mean of their percentiles', () => {
  const night = { ...hour('2026-11-14T01:00:00.000Z', 100), times: { 8: 99, 40: 1 } };
  const morning = { ...hour('2026-11-14T09:00:00.000Z', 10), times: { 40: 10 } };
  const timesOf = (length: 'hour' | 'day') =>
    periodsOf([night, morning], length, HALF_PAST_TEN_MS).flatMap(
      ({ time_to_send_p50_ms: p50, time_to_send_p95_ms: p95 }) => (p50 === undefined ? [] : [[p50, p95]]),
    );
  expect(timesOf('hour')).toEqual([
    [4, 4],
    [1_024, 1_024],
  ]);
  expect(timesOf('day')).toEqual([[4, 1_024]]);
});

test('times to acknowledge are told like times to send', () => {
  const night = { ...hour('2026-11-14T01:00:00.000Z', 100), acknowledged: { 8: 99, 64: 1 } };
  const [day] = periodsOf([night], 'day', HALF_PAST_TEN_MS).slice(-1);
  expect(day).toMatchObject({ time_to_acknowledge_p50_ms: 4, time_to_acknowledge_p95_ms: 4 });
  expect(day).not.toHaveProperty('time_to_send_p50_ms');
});
