import { at, summaryOf } from '../../../../test/support/message-summaries.ts';
import {
  attemptsByOutcome,
  type Facts,
  groupOf,
  latenciesOf,
  sustainedPerSecond,
} from '../../../lab/findings/measurements.ts';
import { pointsOf, secondWidth } from '../../../lab/findings/points.ts';
import { percentile, percentilesOf } from '../../../statistics/percentile.ts';
import { expectedMessage, receiptsOf } from '../../builders.ts';

const START_MS = Date.parse(at(0));

const FACTS: Facts = {
  expected: ['a1', 'b1', 'c1'].map((name, index) =>
    expectedMessage(name, {
      sentAtMs: START_MS + index * 1_000,
      group: name === 'c1' ? 'failing' : 'healthy',
    }),
  ),
  recorded: new Map(
    [
      summaryOf('a1', { admitted_at: at(5), time_to_send_ms: 5, last_attempt_at: at(10), ended_at: at(110) }),
      summaryOf('b1', {
        admitted_at: at(1_005),
        time_to_send_ms: 15,
        last_attempt_at: at(2_500),
        ended_at: at(2_600),
        attempt_count: 2,
      }),
      summaryOf('c1', {
        admitted_at: at(2_005),
        time_to_send_ms: 7,
        held_ms: 400,
        state: 'parked',
        attempt_count: 3,
        last_failure_class: 'timeout',
        ended_at: undefined,
      }),
    ].map((one) => [one.message_id, one]),
  ),
  attempts: new Map([
    [
      'msg_b1',
      [
        {
          attempt: 1,
          started_at: at(1_020),
          duration_ms: 80,
          failure_class: 'http_status',
          status_code: 503,
        },
        { attempt: 2, started_at: at(2_500), duration_ms: 100, status_code: 200 },
      ],
    ],
  ]),
  acceptedAtMs: new Map([
    ['msg_a1', START_MS + 110],
    ['msg_b1', START_MS + 2_590],
  ]),
  receipts: receiptsOf('a1', '!b1', 'b1', '?c1'),
  orderingWaitMs: new Map(),
};

test('time to send, time held, attempts and time to acknowledge are separate', () => {
  const { time_to_send, held, attempt, whole } = latenciesOf(FACTS);
  expect(time_to_send).toMatchObject({ count: 3, p50: 7, max: 15, mean: 9 });
  expect(held).toMatchObject({ count: 1, max: 400 });
  expect(attempt).toMatchObject({ count: 3, p50: 100, max: 100 });
  expect(whole).toMatchObject({ count: 2, p50: 105, max: 1_595 });
});

test('the ordering wait is subtracted from time to send in percentiles, points and groups', () => {
  const facts = { ...FACTS, orderingWaitMs: new Map([['msg_b1', 12]]) };
  expect(latenciesOf(facts)).toMatchObject({
    time_to_send: { count: 3, p50: 5, max: 7, mean: 5 },
    behind_earlier: { count: 1, max: 12 },
    held: { count: 1, max: 400 },
    whole: { max: 1_595 },
  });
  expect(pointsOf(facts, START_MS, 3).map(({ time_to_send_max }) => time_to_send_max)).toEqual([5, 3, 7]);
  const [, second] = facts.expected;
  expect(groupOf('second', facts, [second!], 3).latencies.time_to_send).toMatchObject({ p99: 3 });
});

test('without values there are no percentiles', () => {
  expect(latenciesOf({ ...FACTS, expected: [] })).toEqual({});
  expect(percentilesOf([])).toBeUndefined();
});

test('attempts are counted by outcome, and by last failure when they were not read', () => {
  expect(attemptsByOutcome(FACTS)).toEqual({ delivered: 2, http_status: 1, timeout: 3 });
});

test('each second has its sent, delivered and failed counts, and the unaccepted messages at its end', () => {
  const points = pointsOf(FACTS, START_MS, 3);
  expect(
    points.map(({ sent, delivered, failed_attempts, backlog }) => [
      sent,
      delivered,
      failed_attempts,
      backlog,
    ]),
  ).toEqual([
    [1, 1, 2, 0],
    [1, 0, 0, 1],
    [1, 1, 0, 1],
  ]);
  expect(points.map(({ time_to_send_p50 }) => time_to_send_p50)).toEqual([5, 15, 7]);
});

test('a chart stays within three hundred points', () => {
  expect([10, 300, 301, 3_600, 86_400].map(secondWidth)).toEqual([1, 1, 2, 30, 300]);
});

test.each([
  [50, 3],
  [90, 5],
  [99, 5],
  [100, 5],
  [20, 1],
])('the %dth percentile of one to five is %d', (percent, value) => {
  expect(percentile([5, 3, 1, 4, 2], percent)).toBe(value);
});

test('the sustained rate counts from two seconds after the start to the last event', () => {
  const ids = [1_000, 2_500, 3_000, 5_999, 6_500];
  const acceptedAtMs = new Map(ids.map((ms) => [`msg_${ms}`, START_MS + ms]));
  const expected = ids.map((ms) => ({ messageId: `msg_${ms}` }));
  const until = (ms: number) =>
    sustainedPerSecond({ acceptedAtMs }, expected, { fromMs: START_MS, toMs: START_MS + ms });
  expect(until(6_000)).toBe(0.8);
  expect(until(3_000)).toBeUndefined();
});
