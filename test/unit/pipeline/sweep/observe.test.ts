import type { WhatWaits } from '../../../../functions/core/ordering/waiting-work.ts';
import { measureObserver, observer } from '../../../../functions/pipeline/sweep/observe.ts';
import { METRIC } from '../../../../functions/telemetry/metric-names.ts';
import { metrics } from '../../../../functions/telemetry/metrics.ts';

afterEach(() => metrics.clearMetrics());

const NOTHING: WhatWaits = {
  oldestDueMs: 0,
  oldestInBacklogMs: 0,
  waitingKeys: 0,
  stuckKeys: 0,
  openCircuits: 0,
  drainingCircuits: 0,
  messagesBehindCircuits: 0,
};

const written = () => {
  const { _aws } = metrics.serializeMetrics();
  return _aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name));
};

test('of nothing that waits one figure is written, whose silence is an alarm', () => {
  measureObserver.measured(NOTHING);
  expect(written()).toEqual([METRIC.oldestDue]);
});

test('what waits is written', () => {
  measureObserver.measured({ ...NOTHING, oldestInBacklogMs: 9_000, waitingKeys: 3, stuckKeys: 1 });
  expect(metrics.serializeMetrics()).toMatchObject({
    [METRIC.oldestInBacklog]: 9,
    [METRIC.waitingOrderingKeys]: 3,
    [METRIC.stuckOrderingKeys]: 1,
  });
  expect(written()).not.toContain(METRIC.openCircuits);
});

test.each([
  [true, false],
  [false, true],
])('a sweep of which it is %p that it got through counts a fault: %p', (isComplete, isFault) => {
  observer.swept({ found: 0, woken: 0, latestMs: 0, isComplete });
  expect(metrics.hasStoredMetrics()).toBe(isFault);
});
