import { at, summaryOf } from '../../../../test/support/message-summaries.ts';
import { beforeAndDuring } from '../../../lab/findings/isolation.ts';
import type { Facts } from '../../../lab/findings/measurements.ts';
import { summary } from '../../../lab/findings/summary.ts';
import { artilleryScript, plannedSeconds } from '../../../lab/scenario/artillery.ts';
import { expectedMessage } from '../../builders.ts';
import { sampleGroups, sampleRun } from '../../report/report-sample.ts';
import { planned } from '../scenario/planned.ts';

const START_MS = Date.parse(at(0));
const BASELINE = { fromMs: START_MS, untilMs: START_MS + 30_000 };

/** Messages sent at so many ms, that took so many ms to send. */
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

test('partners with trouble of their own have no isolation figure', () => {
  expect(isolated(sent([10_000, 20], [40_000, 900]), false)).not.toHaveProperty('isolation');
});

test('without messages before or during there is no isolation figure', () => {
  expect(isolated(sent([40_000, 900]))).not.toHaveProperty('isolation');
  expect(isolated(sent([10_000, 20]))).not.toHaveProperty('isolation');
});

describe.each(['hanging-neighbour', 'dead-partner', 'outage-recovery', 'backpressure'])('%s', (name) => {
  test('begins with a baseline of configurable length', async () => {
    const of = async (baseline: string) => {
      const { scenario, parameters, groups } = await planned(
        name,
        '--duration',
        '20',
        '--baseline',
        baseline,
      );
      const changes = groups.flatMap(({ changes }) => changes);
      return {
        seconds: plannedSeconds(artilleryScript(scenario, parameters)),
        first: Math.min(...changes.flatMap(({ at }) => (at === 'end' ? [] : [at]))),
      };
    };
    const without = await of('0');
    expect(await of('15')).toEqual({ seconds: without.seconds + 15, first: without.first + 15 });
  });
});

test('nine of ten partners can hang', async () => {
  const { groups } = await planned('hanging-neighbour', '--failing', '9');
  expect(groups.map(({ name, services }) => [name, services])).toEqual([
    ['healthy', 1],
    ['failing', 9],
  ]);
});

test('the summary has both latencies, their ratio and the target', () => {
  const [healthy, hanging] = sampleGroups();
  const { latencies } = healthy!;
  const groups = [{ ...healthy!, before: latencies, during: latencies, isolation: 1.07 }, hanging!];
  const text = summary(sampleRun({ groups }), 'there');
  expect(text).toMatch(/healthy, before +p50 8 /);
  expect(text).toMatch(/healthy, during +p50 8 /);
  expect(text).toContain(
    'healthy: p99 while others are in trouble is 1.07 times p99 before (target: at most 1.2)',
  );
});
