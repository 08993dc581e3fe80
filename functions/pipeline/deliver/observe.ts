import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { DeadLetter } from '../../adapters/sqs/dead-letters.ts';
import type { Attempt } from '../../core/attempt/attempt.ts';
import { isPing } from '../../core/catalogue/ping-names.ts';
import type { MessageRecord } from '../../core/message/history.ts';
import { timeToAcknowledgeMs } from '../../core/message/time-to-acknowledge.ts';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics } from '../../telemetry/metrics.ts';
import type { Deferred, DeliverObserver, Tried } from './ports.ts';
import { wentAsUsual } from './went-as-usual.ts';

/**
 * Logs and metrics of deliver: no payload, no secret.
 *
 * @param attemptsPerDraw attempts are drawn by lot, one of this many. Those that went as usual are logged only
 *   if drawn: the history has them all
 * @param draw a random number from 0 to 1
 */
export const deliverObserver = (attemptsPerDraw: number, draw: () => number): DeliverObserver => ({
  tried(tried) {
    const { record, attempt } = tried;
    const drawnFrom = draw() * attemptsPerDraw < 1 ? attemptsPerDraw : undefined;
    if (drawnFrom !== undefined || !wentAsUsual(tried)) {
      logAttempt(tried, drawnFrom);
    }
    if (isPing(record)) {
      count(METRIC.pinged);
      return;
    }
    count(METRIC.attempt(outcomeOf(attempt)));
    const acknowledgedMs = timeToAcknowledgeMs(record);
    if (acknowledgedMs !== undefined) {
      metrics.addMetric(METRIC.timeToAcknowledge, MetricUnit.Milliseconds, acknowledgedMs);
    }
    if (attempt.attempt === 1 && record.time_to_send_ms !== undefined) {
      metrics.addMetric(METRIC.timeToSend, MetricUnit.Milliseconds, record.time_to_send_ms);
    }
    if (attempt.attempt === 1 && record.held_ms !== undefined) {
      metrics.addMetric(METRIC.heldTime, MetricUnit.Milliseconds, record.held_ms);
    }
    countState(record);
  },

  concluded(record) {
    logger.info(`message.${record.state}`, {
      reason: record.state_reason,
      message_id: record.message_id,
      subscription_id: record.subscription_id,
      service_id: record.service_id,
      payment_id: record.payment_id,
    });
    if (isPing(record)) {
      return;
    }
    countState(record);
  },

  internalError(error, group) {
    logger.error('delivery.internal_error', {
      error: error as Error,
      message_ids: group.flatMap((record) => ('message' in record ? [record.message.message_id] : [])),
      payment_ids: [...new Set(group.map((record) => record.name.payment_id))],
    });
    count(METRIC.deliveryInternalError);
  },

  deadLettered({ record, reason, explanation }) {
    const { service_id, payment_id } = record.name;
    observeDeadLettered(
      { recordId: record.recordId, group: record.group, reason, explanation },
      {
        service_id,
        payment_id,
        message_id: 'message' in record ? record.message.message_id : undefined,
      },
    );
  },

  orderingKeyStuck(key) {
    logger.error('ordering_key.stuck', {
      ordering_key: key.ordering_key,
      service_id: key.service_id,
      explanation: key.state === 'stuck' ? key.explanation : undefined,
    });
    count(METRIC.orderingKeyStuck);
  },

  repeat(message) {
    logger.info('delivery.repeated', { message_id: message.message_id });
    count(METRIC.messageRepeated);
  },

  queuedMessageLost(queuedMessage) {
    logger.warn('queued_message.lost', { ...queuedMessage });
    count(METRIC.queuedMessageLost);
  },

  endpointHealthChanged({ service_id, subscription_id }, before, after) {
    if (before.circuit.state !== after.circuit.state) {
      const [from, to] = [before.circuit.state, after.circuit.state];
      logger.info('circuit.changed', { service_id, subscription_id, from, to });
      count(METRIC.circuit(to));
      if (from === 'closed' && to === 'open' && after.state === 'active') {
        count(METRIC.circuitTripped);
      }
    }
    if (before.state !== after.state) {
      const { state, disabled_reason: reason } = after;
      logger.warn(`subscription.${state}`, { service_id, subscription_id, reason });
      if (state === 'disabled') {
        count(METRIC.subscriptionDisabled);
      }
    }
  },
});

/** One wide line: all that anybody asks about an attempt afterwards. */
function logAttempt({ record, attempt, receiveCount }: Tried, drawnFrom: number | undefined): void {
  logger.info('delivery.attempted', {
    outcome: outcomeOf(attempt),
    message_id: record.message_id,
    subscription_id: record.subscription_id,
    service_id: record.service_id,
    payment_id: record.payment_id,
    event_type: record.event_type,
    attempt: attempt.attempt,
    probe: attempt.probe,
    status_code: attempt.status_code,
    failure_reason: attempt.failure_reason,
    duration_ms: attempt.duration_ms,
    time_to_send_ms: record.time_to_send_ms,
    held_ms: record.held_ms,
    receive_count: receiveCount,
    state: record.state,
    state_reason: record.state_reason,
    next_attempt_at: record.next_attempt_at,
    drawn_from: drawnFrom,
  });
}

function outcomeOf({ failure_class }: Attempt): string {
  return failure_class ?? 'delivered';
}

/**
 * Why no connection was made. The partner only learns that the host resolves to an address that is not
 * allowed.
 */
export function observeRefused(host: string, reason: string): void {
  logger.warn('address.refused', { host, reason });
}

/**
 * A record waits for a version of this function that knows its format: for minutes during a deployment, else
 * for one.
 */
export function observeDeferred({ recordId, group, receiveCount, version }: Deferred): void {
  logger.warn('record.deferred', {
    record_id: recordId,
    ordering_key: group,
    receive_count: receiveCount,
    format_version: version,
  });
  count(METRIC.recordDeferred);
}

/** @param whose the ids of what was dead-lettered, as far as they can be read */
export function observeDeadLettered(
  { recordId, group, reason, explanation }: Omit<DeadLetter, 'body'>,
  whose: Readonly<Record<string, unknown>> = {},
): void {
  logger.warn('record.dead_lettered', {
    record_id: recordId,
    ordering_key: group,
    reason,
    explanation,
    ...whose,
  });
  count(METRIC.recordDeadLettered);
}

const COUNTED = {
  exhausted: METRIC.messageExhausted,
  cancelled: METRIC.messageCancelled,
  parked: METRIC.messageParked,
} as const;

function countState({ state }: MessageRecord): void {
  if (state in COUNTED) {
    count(COUNTED[state as keyof typeof COUNTED]);
  }
}

function count(name: string): void {
  metrics.addMetric(name, MetricUnit.Count, 1);
}
