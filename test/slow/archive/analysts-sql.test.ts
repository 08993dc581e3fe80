import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Dimension, Only, Question } from '../../../functions/core/analysis/analysis-table.ts';
import { archiveSql } from '../../../functions/core/analysis/archive-sql.ts';
import { type Answers, askArchive, athenaPython } from '../../support/deployed/athena.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-asked-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PERIOD = { since: '2026-11-10T00:00:00.000Z', until: '2026-11-12T00:00:00.000Z' };
const WHOSE = {
  service_id: "o'shop",
  subscription_id: 'sub_1',
  payment_id: 'pay_1',
  event_type: 'invoice.paid',
};

const attempt = (message_id: string, started_at: string, over: object) => ({
  ...WHOSE,
  ...{ message_id, attempt: 1, started_at, live: true, failure_class: 'http_status', status_code: 503 },
  ...over,
});
const end = (
  message_id: string,
  state: string,
  admitted_at: string,
  ended_at: string,
  over: object = {},
) => ({
  ...WHOSE,
  ...{ message_id, state, admitted_at, ended_at, live: true },
  ...over,
});

function keep(
  table: 'attempts' | 'messages',
  rows: readonly { started_at?: string; ended_at?: string }[],
): void {
  const days = Map.groupBy(rows, ({ started_at, ended_at }) => (started_at ?? ended_at ?? '').slice(0, 10));
  for (const [day, of] of days) {
    mkdirSync(path.join(folder, table, `day=${day}`), { recursive: true });
    const lines = of.map((row) => `${JSON.stringify(row)}\n`).join('');
    writeFileSync(path.join(folder, table, `day=${day}`, '1-msg.jsonl.gz'), gzipSync(lines));
  }
}

const ask = (question: Question, by: readonly Dimension[], only: Only = {}, live = '') => ({
  name: `${question} ${by.join()} ${JSON.stringify(only)}${live}`,
  sql: archiveSql({ question, by, only, live, zone: 'Europe/Berlin', ...PERIOD }),
});

const ASKED = {
  reasons: ask('failures', ['reason', 'status']),
  ofAReason: ask('failures', ['service'], { reason: 'timeout', service: "o'shop" }),
  acknowledged: ask('acknowledgement', ['day', 'service']),
  volume: ask('volume', ['subscription']),
  retries: ask('retries', ['hour']),
  never: ask('not-acknowledged', ['type', 'reason']),
  test: ask('not-acknowledged', [], {}, 'false'),
  list: ask('not-acknowledged', ['message'], { status: '503' }),
};
let answers: Answers;

beforeAll(async () => {
  const failed = attempt('msg_1', '2026-11-10T10:00:00.000Z', {});
  keep('attempts', [
    failed,
    failed,
    attempt('msg_2', '2026-11-10T10:30:00.000Z', { failure_class: 'timeout', status_code: undefined }),
    attempt('msg_1', '2026-11-10T10:01:00.000Z', { attempt: 2, failure_class: undefined, status_code: 200 }),
    attempt('msg_0', '2026-11-09T23:59:59.999Z', {}),
    attempt('msg_9', '2026-11-12T00:00:00.000Z', {}),
  ]);
  const given = { last_failure_class: 'http_status', last_status_code: 503 };
  keep('messages', [
    end('msg_1', 'succeeded', '2026-11-10T09:59:00.000Z', '2026-11-10T10:01:00.000Z'),
    end('msg_3', 'succeeded', '2026-11-10T23:29:59.000Z', '2026-11-10T23:30:00.000Z'),
    end('msg_late', 'succeeded', '2026-11-10T01:00:00.000Z', '2026-11-10T10:00:00.000Z', { late: true }),
    end('msg_2', 'exhausted', '2026-11-10T10:29:00.000Z', '2026-11-11T10:00:00.000Z', given),
    end('msg_4', 'cancelled', '2026-11-11T10:00:00.007Z', '2026-11-20T10:00:00.000Z', { live: false }),
    end('msg_late', 'exhausted', '2026-11-10T01:00:00.000Z', '2026-11-10T02:00:00.000Z', given),
  ]);
  await athenaPython();
  answers = await askArchive(folder, {}, Object.values(ASKED));
}, 120_000);

const answerTo = (one: keyof typeof ASKED) => answers[ASKED[one].name];

test('failures by reason, each once, within the period', () => {
  expect(answerTo('reasons')).toEqual([
    { reason: 'http_status', status: '503', failed_attempts: 1 },
    { reason: 'timeout', status: '', failed_attempts: 1 },
  ]);
  expect(answerTo('ofAReason')).toEqual([{ service: "o'shop", failed_attempts: 1 }]);
});

test('acknowledgement by day of the time zone, without what was sent again', () => {
  expect(answerTo('acknowledged')).toEqual([
    {
      day: '2026-11-10',
      service: "o'shop",
      acknowledged: 1,
      within_60_s: 0,
      p50_ms: 120_000,
      p95_ms: 120_000,
    },
    { day: '2026-11-11', service: "o'shop", acknowledged: 1, within_60_s: 1, p50_ms: 1_000, p95_ms: 1_000 },
  ]);
});

test('volume, and what retries cost', () => {
  expect(answerTo('volume')).toEqual([
    { subscription: 'sub_1', delivered: 3, failed_attempts: 2, exhausted: 2, cancelled: 0 },
  ]);
  expect(answerTo('retries')).toContainEqual({
    hour: '2026-11-10T10:00:00.000Z',
    delivered: 2,
    failed_attempts: 2,
    retries_usd: 0.000042,
  });
});

test('what was not acknowledged, by its last state', () => {
  expect(answerTo('never')).toMatchObject([
    { type: 'invoice.paid', reason: 'http_status', messages: 1, exhausted: 1, cancelled: 0 },
    { type: 'invoice.paid', reason: 'not attempted', messages: 1, exhausted: 0, cancelled: 1 },
  ]);
  expect(answerTo('test')).toMatchObject([{ messages: 1, cancelled: 1 }]);
  expect(answerTo('list')).toEqual([
    {
      ...{
        message: 'msg_2',
        admitted_at: '2026-11-10T10:29:00.000Z',
        service: "o'shop",
        subscription: 'sub_1',
      },
      ...{ payment: 'pay_1', type: 'invoice.paid', state: 'exhausted', reason: 'http_status', status: '503' },
    },
  ]);
});

test('an address cannot put words into a statement', () => {
  expect(ASKED.ofAReason.sql).toContain("service_id = 'o''shop'");
  const since = "2026-11-10' OR true --";
  expect(() => archiveSql({ question: 'volume', by: [], zone: 'UTC', only: {}, ...PERIOD, since })).toThrow(
    RangeError,
  );
});
