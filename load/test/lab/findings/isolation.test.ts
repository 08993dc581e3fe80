import { at, summaryOf } from '../../../../test/support/message-summaries.ts';
import { beforeAndDuring } from '../../../lab/findings/isolation.ts';
import type { Facts } from '../../../lab/findings/measurements.ts';
import { expectedMessage } from '../../builders.ts';

const START_MS = Date.parse(at(0));
const BASELINE = { fromMs: START_MS, untilMs: START_MS + 30_000 };

/** Messages sent at this many ms, that took this many ms to send. */
function sent(...times: [atMs: number, tookMs: number][]): Facts {
  const names = times.map((_, index) => `a${index + 1}`);
  return {
    expected: names.map((name, index) =>
      expectedMessage(name, { paymentId: name, sentAtMs: START_MS + (times[index]?.[0] ?? 0) }),
    ),
    recorded: new Map(
      names.map((name, index) => [
        `msg_${name}`,
        summaryOf(name, { time_to_send_ms: times[index]?.[1] ?? 0 }),
      ]),
    ),
    attempts: new Map(),
    acceptedAtMs: new Map(),
    receipts: [],
    orderingWaitMs: new Map(),
  };
}

function isolated(facts: Facts, isWell = true) {
  return beforeAndDuring(facts, facts.expected, BASELINE, isWell);
}

test('messages sent before and during the trouble are measured separately and compared', () => {
  const found = isolated(sent([10_000, 20], [29_999, 40], [30_000, 50], [50_000, 60]));
  expect(found.before?.time_to_send).toMatchObject({ count: 2, p99: 40 });
  expect(found.during?.time_to_send).toMatchObject({ count: 2, p99: 60 });
  expect(found.isolation).toBe(1.5);
});

test('the first seconds, in which connections open, do not count for the time before', () => {
  const found = isolated(sent([100, 900], [10_000, 20], [40_000, 30]));
  expect(found.before?.time_to_send).toMatchObject({ count: 1, p99: 20 });
  expect(found.isolation).toBe(1.5);
});
