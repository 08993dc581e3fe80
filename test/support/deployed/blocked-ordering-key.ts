import { randomUUID } from 'node:crypto';
import { orderingKeyCommitter } from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import { type Message, messageId, orderingKey } from '../../../functions/core/message/message.ts';
import { concludedRecord, recordOf } from '../../../functions/core/message/outcome.ts';
import { nextBlockedKey } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { positionOf } from '../../../functions/core/sequence/order-number.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { message } from '../builders.ts';
import type { DeployedStack, Service } from './deployed-stack.ts';

interface BlockedOrderingKey {
  readonly service: Pick<Service, 'serviceId'>;
  readonly subscriptionId: string;
  readonly paymentId: string;
  /** When it was blocked, in ms since 1970. */
  readonly blockedAtMs?: number;
  readonly dueAtMs: number;
  /** For each queued message: whether the history has it. */
  readonly waiting: readonly ('known' | 'unknown')[];
}

/**
 * Writes a blocked ordering key as `deliver` does after a failed attempt, but arms no timer, as if deliver
 * had crashed: only sweep finds it. Returns the ids of its messages, whose steps count from 1.
 */
export async function blockedOrderingKey(
  { dynamodb, outputs: { tables } }: Pick<DeployedStack, 'dynamodb' | 'outputs'>,
  { service, subscriptionId, paymentId, blockedAtMs = Date.now(), dueAtMs, waiting }: BlockedOrderingKey,
): Promise<string[]> {
  const messages = waiting.map((_, index): Message => {
    const event_id = `evt-${randomUUID()}`;
    return message({
      event_id,
      message_id: messageId({
        service_id: service.serviceId,
        payment_id: paymentId,
        event_id,
        subscription_id: subscriptionId,
      }),
      service_id: service.serviceId,
      subscription_id: subscriptionId,
      payment_id: paymentId,
      resource_id: paymentId,
      admitted_at_ms: blockedAtMs,
      occurred_at: instant(blockedAtMs),
      // Sorts before any sequence number of the queue: a fresh queue's begin with 1.
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
        nowMs: blockedAtMs,
        policy: STAGES.local.deliveryPolicy,
        name,
        oldestSince: instant(blockedAtMs),
      },
    ),
    queuedMessages: messages.map((message) => ({
      ordering_key: orderingKey(name),
      position: positionOf(message),
      message_id: message.message_id,
      since: instant(blockedAtMs),
      failed_attempts: 0,
    })),
    removed: [],
    outcomes: messages
      .filter((_, index) => waiting[index] === 'known')
      .map((known) => ({
        record: concludedRecord(recordOf(known), { state: 'parked', reason: 'behind_earlier' }, blockedAtMs),
      })),
  });
  expect(written).toBe('written');
  return messages.map(({ message_id }) => message_id);
}
