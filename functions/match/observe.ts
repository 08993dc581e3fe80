import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { logger } from '../shared/logger.ts';
import { METRIC } from '../shared/metric-names.ts';
import { metrics } from '../shared/metrics.ts';
import type { MatchOutcome } from './match.ts';

/** Lines and metrics of match: no payload. */
export function observe({ matched, buried, unreadable }: MatchOutcome): void {
  for (const service_id of unreadable) {
    logger.error('routes.unreadable', { service_id });
  }
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
  count(METRIC.eventMatched, matched.length - unrouted.length);
  count(METRIC.eventUnrouted, unrouted.length);
  count(METRIC.eventBuried, buried.length);
}

function count(name: string, value: number): void {
  if (value > 0) {
    metrics.addMetric(name, MetricUnit.Count, value);
  }
}
