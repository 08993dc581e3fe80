import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics } from '../../telemetry/metrics.ts';
import type { MatchOutcome } from './ports.ts';

/** An internal error that brings so many events back. */
export function observeInternalError(error: unknown, events: number): void {
  logger.error('match.fault', { error: error as Error, events });
  count(METRIC.matchFault, 1);
}

/** Logs and metrics of match: no payload. */
export function observe({ matched, deadLettered }: MatchOutcome): void {
  for (const { intake, reason, explanation } of deadLettered) {
    logger.warn('event.buried', { record_id: intake.recordId, reason, explanation });
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
  count(METRIC.eventBuried, deadLettered.length);
  count(METRIC.routesUnreadable, deadLettered.filter(({ reason }) => reason === 'routes_unreadable').length);
}

function count(name: string, value: number): void {
  if (value > 0) {
    metrics.addMetric(name, MetricUnit.Count, value);
  }
}
