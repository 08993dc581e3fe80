import { batchesAt, readSimulated } from '../../../../../../cli/operator/cost/measured/batch-sizes.ts';

const simulated = {
  command: '',
  on: '',
  batches: [
    { eventsPerSecond: 1, subscriptions: 1, match: 1, deliver: 1 },
    { eventsPerSecond: 100, subscriptions: 1, match: 2, deliver: 3 },
    { eventsPerSecond: 1, subscriptions: 10, match: 1, deliver: 5 },
    { eventsPerSecond: 100, subscriptions: 10, match: 2, deliver: 7 },
  ],
};

test('what was simulated is taken as it is', () => {
  expect(batchesAt(simulated, 100, 1)).toEqual({ match: 2, deliver: 3 });
  expect(batchesAt(simulated, 1, 10)).toEqual({ match: 1, deliver: 5 });
});

test('between two rates and two numbers of subscriptions it is between, by their logarithms', () => {
  expect(batchesAt(simulated, 10, 1)).toEqual({ match: 1.5, deliver: 2 });
  expect(batchesAt(simulated, 10, Math.sqrt(10)).deliver).toBeCloseTo(4);
});

test('beyond what was simulated it is as at its edge', () => {
  expect(batchesAt(simulated, 0.01, 1)).toEqual({ match: 1, deliver: 1 });
  expect(batchesAt(simulated, 5_000, 100)).toEqual({ match: 2, deliver: 7 });
});

test('the more events come, the more share a batch, up to ten', () => {
  const { batches } = readSimulated();
  for (const some of Map.groupBy(batches, ({ subscriptions }) => subscriptions).values()) {
    const sizes = some.map(({ deliver }) => deliver);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(Math.max(...some.flatMap(({ match, deliver }) => [match, deliver]))).toBeLessThanOrEqual(10);
  }
});
