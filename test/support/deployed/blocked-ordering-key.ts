import { randomUUID } from 'node:crypto';
import { orderingKeyCommitter } from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import { concludedRecord } from '../../../functions/core/attempt/outcome.ts';
import { recordOf } from '../../../functions/core/message/history.ts';
import {
  type Message,
  messageId,
  orderingKey,
  webhookBody,
} from '../../../functions/core/message/message.ts';
import { nextBlockedKey, positionOf } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { STAGES } from '../../../lib/stages.ts';
import { message } from '../builders.ts';
import type { DeployedStack, Service } from './deployed-stack.ts';

interface BlockedKey {
  readonly service: Pick<Service, 'serviceId'>;
  readonly subscriptionId: string;
  readonly paymentId: string;
  /** When it was paused, in ms since 1970. */
  readonly pausedAtMs?: number;
  readonly dueAtMs: number;
  /** For each message that waits in it: whether the history knows it. */
  readonly waiting: readonly ('known' | 'unknown')[];
}

/**
 * Writes a paused key as `deliver` does when an attempt has failed, and arms no timer, as if it had died then: nobody comes for this key by himself but
 * sweep. Answers the ids of its messages, whose steps count from 1.
 */
export async function blockedKey(
  { dynamodb, outputs: { tables } }: Pick<DeployedStack, 'dynamodb' | 'outputs'>,
  { service, subscriptionId, paymentId, pausedAtMs = Date.now(), dueAtMs, waiting }: BlockedKey,
): Promise<string[]> {
  const messages = waiting.map((_, index): Message => {
    const event_id = `evt-${randomUUID()}`;
    return message({
      event_id,
      message_id: messageId(event_id, subscriptionId, paymentId),
      service_id: service.serviceId,
      subscription_id: subscriptionId,
      payment_id: paymentId,
      resource_id: paymentId,
      admitted_at_ms: pausedAtMs,
      occurred_at: instant(pausedAtMs),
      // Sorts before any number that the queue will give: a fresh one begins with 1.
      order_number: `-${index + 1}`,
      resource: JSON.stringify({ step: index + 1 }),
    });
  });
  const name = { service_id: service.serviceId, subscription_id: subscriptionId, payment_id: paymentId };
  const written = await orderingKeyCommitter(
    dynamodb,
    tables,
    STAGES.local.deliveryPolicy.retentionDays,
  )({
    token: randomUUID(),
    orderingKey: orderingKey(name),
    known: undefined,
    next: nextBlockedKey(
      undefined,
      { kind: 'attempt_failed', dueAtMs },
      {
        nowMs: pausedAtMs,
        policy: STAGES.local.deliveryPolicy,
        name,
        oldestSince: instant(pausedAtMs),
      },
    ),
    queuedMessages: messages.map((message) => ({
      ordering_key: orderingKey(name),
      place: positionOf(message),
      message_id: message.message_id,
      since: instant(pausedAtMs),
      failed_attempts: 0,
    })),
    removed: [],
    outcomes: messages
      .filter((_, index) => waiting[index] === 'known')
      .map((known) => ({
        record: concludedRecord(
          recordOf(known, webhookBody(known, known.resource ?? '{}')),
          { state: 'parked', reason: 'behind_earlier' },
          pausedAtMs,
        ),
      })),
  });
  expect(written).toBe('written');
  return messages.map(({ message_id }) => message_id);
}
