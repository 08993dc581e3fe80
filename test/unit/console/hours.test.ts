import { latest, totals } from '../../../console/subscriptions/one/hours.ts';

const period = (hour: number, delivered: number, failed_attempts: number, p95?: number) => ({
  since: new Date(Date.UTC(2026, 10, 22, hour)).toISOString(),
  delivered,
  acknowledged_within_60_s: delivered,
  failed_attempts,
  exhausted: 0,
  cancelled: 0,
  ...(p95 === undefined ? {} : { time_to_send_p95_ms: p95 }),
});

test('a day is the last 24 hours of what the API has, a week the last seven days', () => {
  const hours = latest(Array.from({ length: 48 }, (_, hour) => period(hour, hour, 0)));
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)?.delivered).toBe(47);
  const days = Array.from({ length: 30 }, (_, day) => period(24 * day, day, 0));
  expect(latest(days, 'week').map(({ delivered }) => delivered)).toEqual([23, 24, 25, 26, 27, 28, 29]);
  expect(latest(days, 'month')).toHaveLength(28);
});

test('an hour without attempts has no rate, rather than a bad one', () => {
  const hours = latest([period(0, 3, 1), period(1, 0, 0), period(2, 0, 4)]);
  expect(hours.map(({ rate }) => rate)).toEqual([0.75, null, 0]);
  expect(totals(hours)).toEqual({ delivered: 3, failed: 5, rate: 0.375, p95: null, acknowledged: null });
  expect(totals([])).toEqual({ delivered: 0, failed: 0, rate: null, p95: null, acknowledged: null });
});

test('an hour without a first attempt has no time to send, and a day tells that of its worst hour', () => {
  const hours = latest([period(0, 3, 1, 76), period(1, 0, 2), period(2, 1, 0, 215), period(3, 1, 0, 9)]);
  expect(hours.map(({ p95 }) => p95)).toEqual([76, null, 215, 9]);
  expect(totals(hours).p95).toBe(215);
  const later = { ...period(4, 1, 0), time_to_acknowledge_p95_ms: 61_000 };
  expect(totals(latest([later, period(5, 1, 0)])).acknowledged).toBe(61_000);
});
