import { observe } from '../../../../functions/pipeline/match/observe.ts';
import type { DeadEvent, DeadLetterReason } from '../../../../functions/pipeline/match/ports.ts';
import { METRIC } from '../../../../functions/telemetry/metric-names.ts';
import { metrics } from '../../../../functions/telemetry/metrics.ts';
import { intake } from '../../../support/builders.ts';

afterEach(() => metrics.clearMetrics());

const deadLettered = (reason: DeadLetterReason): DeadEvent => ({
  intake: intake('{}'),
  reason,
  explanation: 'x',
});

test('events that were dead-lettered because routes cannot be read have a count of their own: only an operator can fix that', () => {
  observe({
    matched: [],
    deadLettered: [
      deadLettered('routes_unreadable'),
      deadLettered('malformed'),
      deadLettered('routes_unreadable'),
    ],
    sequenced: [],
    stuck: [],
    setAside: [],
  });
  expect(metrics.serializeMetrics()).toMatchObject({
    [METRIC.eventDeadLettered]: 3,
    [METRIC.routesUnreadable]: 2,
  });
});

test('a mistake of a publisher is none of ours', () => {
  observe({ matched: [], deadLettered: [deadLettered('malformed')], sequenced: [], stuck: [], setAside: [] });
  expect(metrics.serializeMetrics()).not.toHaveProperty([METRIC.routesUnreadable]);
});
