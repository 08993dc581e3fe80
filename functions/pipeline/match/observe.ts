import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics } from '../../telemetry/metrics.ts';
import type { MatchOutcome } from './ports.ts';

/** A fault of ours: so many events come again. */
export function observeFault(error: unknown, events: number): void {
  logger.error('match.fault', { error: error as Error, events });
  count(METRIC.matchFault, 1);
}

/** Lines and metrics of match: no payload. */
export function observe({ matched, buried }: MatchOutcome): void {
  for (const { admission, reason, explanation } of buried) {
    logger.warn('event.buried', { record_id: admission.recordId, reason, explanation });
  }
  const unrouted = matched.filter(({ messageCount }) => messageCount === 0);
  for (const { event } of unrouted) {
    logger.info('event.unrouted', {
      event_id: event.event_id,
      service_id: event.service_id,
      event_type: event.public_type,
    });
  }
  count(METRIC.eventUnrouted, unrouted.length);
  count(METRIC.eventBuried, buried.length);
  count(METRIC.routesUnreadable, buried.filter(({ reason }) => reason === 'routes_unreadable').length);
}

function count(name: string, value: number): void {
  if (value > 0) {
    metrics.addMetric(name, MetricUnit.Count, value);
  }
}
