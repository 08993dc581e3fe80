import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { PaymentEvent } from '../../core/event/event.ts';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics } from '../../telemetry/metrics.ts';
import { Inversions } from './inversions.ts';
import { OffSchema } from './off-schema.ts';
import type { MatchOutcome, Sequenced } from './ports.ts';

/** An internal error, and how many events it returns to the queue. */
export function observeInternalError(error: unknown, events: number): void {
  logger.error('match.internal_error', { error: error as Error, events });
  count(METRIC.matchInternalError, 1);
}

const inversions = new Inversions();
const offSchema = new OffSchema();

/** Logs and metrics of match: no payload. */
export function observe({ matched, deadLettered, sequenced, stuck, setAside }: MatchOutcome): void {
  for (const { intake, reason, explanation } of deadLettered) {
    logger.warn('event.dead_lettered', { record_id: intake.recordId, reason, explanation });
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
  count(METRIC.eventDeadLettered, deadLettered.length);
  for (const { event, byMs } of inversions.of(matched.map((one) => one.event))) {
    logger.info('event.inverted', { ...named(event), occurred_at: event.occurred_at, by_ms: byMs });
    count(METRIC.eventInverted, 1);
  }
  const misfits = matched.flatMap(({ event }) => (event.schema_error === undefined ? [] : [event]));
  for (const { event, count: events } of offSchema.toLog(misfits, Date.now())) {
    const { public_type, schema_error } = event;
    logger.warn('event.off_schema', { ...named(event), event_type: public_type, schema_error, events });
  }
  count(METRIC.eventOffSchema, misfits.length);
  sequenced.forEach(observeSequenced);
  for (const { service_id, payment_id, explanation } of stuck) {
    logger.error('event.stuck', { service_id, payment_id, explanation });
  }
  count(METRIC.eventStuck, stuck.length);
  for (const event of setAside) {
    logger.info('event.set_aside', named(event));
  }
  count(METRIC.routesUnreadable, deadLettered.filter(({ reason }) => reason === 'routes_unreadable').length);
}

/** What is in sequence is not worth a line. */
function observeSequenced({ event, step }: Sequenced): void {
  const { sequence } = event;
  if (step.kind === 'early') {
    logger.info('event.early', { ...named(event), sequence });
    count(METRIC.eventEarly, 1);
  } else if (step.kind === 'repeated') {
    logger.info('event.repeated', { ...named(event), sequence });
  } else if (step.event.mark !== undefined) {
    const { mark, isReused = false } = step.event;
    logger.warn('event.out_of_sequence', { ...named(event), sequence, mark, is_reused: isReused });
    count(mark === 'late' ? METRIC.eventLate : METRIC.sequenceGap, 1);
  }
}

function named({ service_id, payment_id, event_id }: PaymentEvent) {
  return { service_id, payment_id, event_id };
}

function count(name: string, value: number): void {
  if (value > 0) {
    metrics.addMetric(name, MetricUnit.Count, value);
  }
}
