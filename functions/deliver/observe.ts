import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Message } from '../core/message.ts';
import { logger } from '../shared/logger.ts';
import { METRIC } from '../shared/metric-names.ts';
import { metrics } from '../shared/metrics.ts';
import type { Delivery, Tried } from './ports.ts';

/** One wide line for each try: all that is asked of a delivery afterwards, and no payload and no secret. */
export function observe({ message, attempt, record, receiveCount }: Tried): void {
  const outcome = attempt.failure_class ?? 'delivered';
  logger.info('delivery.attempted', {
    outcome,
    message_id: message.message_id,
    subscription_id: message.subscription_id,
    service_id: message.service_id,
    payment_id: message.payment_id,
    event_type: message.event_type,
    attempt: attempt.attempt,
    status_code: attempt.status_code,
    failure_reason: attempt.failure_reason,
    duration_ms: attempt.duration_ms,
    time_to_send_ms: record.time_to_send_ms,
    receive_count: receiveCount,
  });
  metrics.addMetric(METRIC.attempt(outcome), MetricUnit.Count, 1);
  metrics.addMetric(METRIC.attemptDuration, MetricUnit.Milliseconds, attempt.duration_ms);
  if (attempt.attempt === 1 && record.time_to_send_ms !== undefined) {
    metrics.addMetric(METRIC.timeToSend, MetricUnit.Milliseconds, record.time_to_send_ms);
  }
}

export function observeFault(error: unknown, deliveries: readonly Delivery[]): void {
  logger.error('delivery.fault', {
    error: error as Error,
    message_ids: deliveries.map(({ message }) => message.message_id),
  });
}

export function observeRepeat(message: Message): void {
  logger.info('delivery.repeated', { message_id: message.message_id });
  metrics.addMetric(METRIC.messageRepeated, MetricUnit.Count, 1);
}
