import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ArchiveTable } from '../../../functions/core/archive/archive-columns.ts';
import { type Answers, askArchive, athenaPython } from '../../support/deployed/athena.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Row = Readonly<Record<string, unknown>>;

/** Noon, this many days ago. */
const instant = (daysAgo: number, hour = 12) => {
  const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return `${day}T${String(hour).padStart(2, '0')}:00:00.000Z`;
};

let files = 0;
/** Rows as stored in the bucket. */
function keep(table: ArchiveTable, at: string, ...rows: readonly Row[]): void {
  const position = path.join(folder, table, `day=${at.slice(0, 10)}`);
  mkdirSync(position, { recursive: true });
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(path.join(position, `${files++}-msg.jsonl.gz`), gzipSync(lines));
}

let messages = 0;
const attempt = (over: Row = {}): Row => ({
  message_id: `msg_${messages++}`,
  service_id: 'bakery',
  subscription_id: 'sub_quick',
  payment_id: 'pay_1',
  event_type: 'card_payment_succeeded',
  live: true,
  attempt: 1,
  started_at: instant(1),
  duration_ms: 100,
  status_code: 200,
  ...over,
});
const end = (over: Row = {}): Row => ({
  message_id: `msg_${messages++}`,
  service_id: 'bakery',
  subscription_id: 'sub_quick',
  admitted_at: instant(1),
  ended_at: instant(1),
  state: 'succeeded',
  attempt_count: 1,
  time_to_send_ms: 10,
  ...over,
});

let answers: Answers;

beforeAll(async () => {
  const yesterday = instant(1);
  const slow = attempt({
    subscription_id: 'sub_slow',
    duration_ms: 9_000,
    failure_class: 'timeout',
    status_code: undefined,
  });
  keep('attempts', yesterday, attempt(), attempt(), attempt(), slow);
  // A batch that came twice, split differently.
  keep('attempts', yesterday, slow);
  keep('attempts', instant(1, 13), attempt({ started_at: instant(1, 13) }));
  keep(
    'attempts',
    instant(6),
    attempt({ started_at: instant(6), service_id: 'inn', subscription_id: 'sub_inn', duration_ms: 400 }),
  );
  keep(
    'attempts',
    instant(7),
    attempt({ started_at: instant(7), subscription_id: 'sub_old', duration_ms: 20_000 }),
  );
  keep(
    'attempts',
    instant(3),
    attempt({
      message_id: 'msg_two',
      payment_id: 'pay_2',
      started_at: instant(3),
      status_code: 500,
      failure_class: 'http_status',
    }),
    attempt({
      message_id: 'msg_two',
      payment_id: 'pay_2',
      started_at: instant(3, 13),
      attempt: 2,
      probe: true,
    }),
  );
  // An earlier version has not recorded the subscription.
  keep('attempts', instant(40), {
    message_id: 'msg_before',
    attempt: 2,
    started_at: instant(40),
    duration_ms: 1,
  });

  const ends = Array.from({ length: 100 }, (_, index) => end({ time_to_send_ms: index + 1 }));
  keep('messages', yesterday, ...ends);
  keep('messages', yesterday, ...ends);
  keep('messages', yesterday, end({ admitted_at: instant(2), time_to_send_ms: 5, held_ms: 60_000 }));
  const given = {
    state: 'exhausted',
    state_reason: 'schedule',
    attempt_count: 11,
    last_failure_class: 'timeout',
  };
  keep(
    'messages',
    instant(5),
    end({ message_id: 'msg_again', ...given, ended_at: instant(5), time_to_send_ms: undefined }),
  );
  keep(
    'messages',
    yesterday,
    end({ message_id: 'msg_again', attempt_count: 12, late: true, time_to_send_ms: undefined }),
  );
  keep(
    'messages',
    yesterday,
    end({ ...given, subscription_id: 'sub_slow', admitted_at: instant(4), time_to_send_ms: undefined }),
  );
  const never = { state: 'cancelled', state_reason: 'expired', attempt_count: 0, time_to_send_ms: undefined };
  keep('messages', yesterday, end(never), end({ ...never, admitted_at: instant(2) }));
  keep('messages', instant(30), end({ ...never, ended_at: instant(30) }));

  await athenaPython();
  answers = await askArchive(folder, { 'attempts-of-a-payment': ['pay_2'] });
}, 120_000);

test('the slowest endpoints of the last seven days come first, and duplicate rows count once', () => {
  expect(answers['slowest-subscriptions']).toEqual([
    expect.objectContaining({
      service_id: 'bakery',
      subscription_id: 'sub_slow',
      attempts: 1,
      duration_ms_p95: 9_000,
    }),
    expect.objectContaining({ service_id: 'inn', subscription_id: 'sub_inn', duration_ms_p50: 400 }),
    expect.objectContaining({ subscription_id: 'sub_quick', attempts: 6, duration_ms_longest: 100 }),
  ]);
});

test('the share of successful attempts is listed by partner and hour', () => {
  const hour = (at: number) => instant(1, at).slice(0, 13);
  expect(answers['success-by-hour']).toEqual([
    { service_id: 'bakery', hour: hour(12), attempts: 4, taken: 3, taken_percent: 75 },
    { service_id: 'bakery', hour: hour(13), attempts: 1, taken: 1, taken_percent: 100 },
  ]);
});

test('time to send is listed by day of intake, separate from the time held', () => {
  const [heldDay, day, ...others] = answers['time-to-send'] ?? [];
  expect(others).toEqual([]);
  expect(heldDay).toEqual({
    admitted_on: instant(2).slice(0, 10),
    messages: 1,
    time_to_send_ms_p50: 5,
    time_to_send_ms_p95: 5,
    time_to_send_ms_p99: 5,
    held: 1,
    held_ms_p99: 60_000,
  });
  expect(day).toMatchObject({ messages: 100, held: 0, held_ms_p99: 0 });
  // Both engines approximate.
  expect(Math.abs(Number(day?.time_to_send_ms_p50) - 50)).toBeLessThanOrEqual(1);
  expect(Math.abs(Number(day?.time_to_send_ms_p99) - 99)).toBeLessThanOrEqual(1);
});

test('undelivered messages are listed with their reason and how many were never sent, without those delivered later', () => {
  expect(answers['never-delivered']).toEqual([
    {
      service_id: 'bakery',
      subscription_id: 'sub_quick',
      state: 'cancelled',
      state_reason: 'expired',
      last_failure_class: null,
      messages: 2,
      never_sent: 2,
      first_admitted_at: instant(2),
      last_admitted_at: instant(1),
    },
    expect.objectContaining({ subscription_id: 'sub_slow', state: 'exhausted', messages: 1, never_sent: 0 }),
  ]);
});

test('the attempts of a payment are listed in order', () => {
  expect(answers['attempts-of-a-payment']).toMatchObject([
    { message_id: 'msg_two', attempt: 1, failure_class: 'http_status', probe: null },
    { message_id: 'msg_two', attempt: 2, status_code: 200, probe: true },
  ]);
});

test('what is not SQL of Athena is refused', async () => {
  await expect(
    askArchive(folder, {}, [{ name: 'wrong', sql: 'SELECT day FROM attempts WHERE WHERE' }]),
  ).rejects.toThrow(/ParseError/);
}, 60_000);
