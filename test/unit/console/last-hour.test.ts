import { latest, totals } from '../../../console/subscriptions/one/hours.ts';
import { lastHour } from '../../../console/subscriptions/one/last-hour.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const ago = (seconds: number) => new Date(NOW_MS - seconds * 1_000).toISOString();

const message = (secondsAgo: number, over: object = {}) => ({
  event_type: 'card_payment_captured',
  state: 'succeeded',
  attempt_count: 1,
  admitted_at: ago(secondsAgo),
  ended_at: ago(secondsAgo - 1),
  time_to_send_ms: 10,
  ...over,
});

/** What is told of them, newest first, and what was asked for. */
async function toldOf(messages: readonly object[]) {
  const asked: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers
  const get = async (path: string): Promise<any> => {
    asked.push(path);
    if (path.includes('statistics')) return { waiting: { count: 2, is_more: false } };
    const from = Number(/cursor=(\d+)/.exec(path)?.[1] ?? 0);
    const more = from + 100 < messages.length ? { next_cursor: String(from + 100) } : {};
    return { messages: messages.slice(from, from + 100), ...more };
  };
  const told = await lastHour(get, NOW_MS);
  return { ...told, asked, hours: latest(told.periods, 'hour') };
}

test('the last hour is told in twelve parts by the attempts of its messages, without pings', async () => {
  const failed = { last_failure_class: 'http_status', time_to_send_ms: 30 };
  const { asked, hours, messages, waiting } = await toldOf([
    message(0),
    message(20, { event_type: 'ping' }),
    message(60, { state: 'parked', attempt_count: 0, ended_at: undefined, time_to_send_ms: undefined }),
    message(1_700, { state: 'exhausted', attempt_count: 11, ...failed }),
    message(3_590, { attempt_count: 2 }),
  ]);
  expect(hours.map(({ delivered, failed }) => [delivered, failed])).toEqual([
    ...[
      [1, 1],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ],
    ...[
      [0, 11],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 0],
    ],
  ]);
  expect(hours.map(({ since }) => since.slice(11, 16)).slice(0, 2)).toEqual(['11:00', '11:05']);
  expect(totals(hours)).toEqual({ delivered: 2, failed: 12, rate: 2 / 14, p95: 30, acknowledged: 1_000 });
  expect([messages, waiting.count]).toEqual([4, 2]);
  expect(asked).toEqual(['statistics?by=hour', 'messages?limit=100&since=2026-11-20T11%3A00%3A00.000Z']);
});

test('of more than five hundred messages the latest are told, since the oldest of them was accepted', async () => {
  const { asked, hours, messages } = await toldOf(
    Array.from({ length: 700 }, (_, second) => message(second)),
  );
  expect(asked).toHaveLength(6);
  expect([messages, totals(hours).delivered, hours.length]).toEqual([500, 500, 12]);
  expect(hours[0]?.since).toBe(ago(499));
});

test('an hour without messages has nothing in any part, and one of a single instant all of it in one', async () => {
  expect(totals((await toldOf([])).hours).rate).toBeNull();
  const { hours } = await toldOf(Array.from({ length: 600 }, () => message(0)));
  expect(totals(hours).delivered).toBe(500);
});
