import { CLOSED } from '../../../../functions/core/circuit/circuit.ts';
import type { WhatWaits } from '../../../../functions/core/ordering/waiting-work.ts';
import { type MeasurePorts, measure } from '../../../../functions/pipeline/sweep/measure.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { at } from './world.ts';

/** Indexes in memory. */
function world(over: Partial<MeasurePorts> = {}) {
  const reports: (WhatWaits | unknown)[] = [];
  const looked: string[] = [];
  const ports: MeasurePorts = {
    dueAts: async () => [at(-5_000)],
    stuckKeys: async () => 2,
    timedCircuits: async () => [
      { subscription_id: 'sub_1', circuit: { ...CLOSED, state: 'open', cool_down_ms: 1, timer_at: at(1) } },
    ],
    firstInBacklog: async (subscriptionId) => {
      looked.push(subscriptionId);
      return { backlogged_at: at(-9_000), check_at: at(-9_000) };
    },
    observer: {
      measured: (waits) => reports.push(waits),
      unmeasured: (error) => reports.push(error),
    },
    now: () => TEN_O_CLOCK_MS,
    ...over,
  };
  return { measure: () => measure(ports), reports, looked };
}

test('what waits for its time, for an operator and behind circuits is measured at once', async () => {
  const { measure, reports } = world();
  await measure();
  expect(reports).toEqual([
    {
      oldestDueMs: 5_000,
      waitingKeys: 1,
      stuckKeys: 2,
      openCircuits: 1,
      drainingCircuits: 0,
      oldestInBacklogMs: 9_000,
      messagesBehindCircuits: 0,
    },
  ]);
});

test('reads are bounded: 10,000 ordering keys, 1,000 for operators, 2,000 circuits', async () => {
  const max: number[] = [];
  const { measure } = world({
    dueAts: async (bound) => {
      max.push(bound);
      return [];
    },
    stuckKeys: async (bound) => max.push(bound),
    timedCircuits: async (bound) => {
      max.push(bound);
      return [];
    },
  });
  await measure();
  expect(max).toEqual([10_000, 1_000, 2_000]);
});

test('a table that cannot be read is reported, and stops nothing', async () => {
  const throttled = new Error('throttled');
  const { measure, reports } = world({ stuckKeys: () => Promise.reject(throttled) });
  await measure();
  expect(reports).toEqual([throttled]);
});

test('when looking takes long, the lines that were not seen are left out and their circuits are not', async () => {
  let nowMs = TEN_O_CLOCK_MS;
  const circuits = Array.from({ length: 120 }, (_, index) => ({
    subscription_id: `sub_${index}`,
    circuit: { ...CLOSED, state: 'open' as const, cool_down_ms: 1 },
  }));
  const seen: string[] = [];
  const { measure, reports } = world({
    timedCircuits: async () => circuits,
    firstInBacklog: async (subscriptionId) => {
      seen.push(subscriptionId);
      nowMs += 100;
      return undefined;
    },
    now: () => nowMs,
  });
  await measure();
  expect(seen).toHaveLength(100);
  expect(reports).toMatchObject([{ openCircuits: 120, oldestInBacklogMs: 0 }]);
});
