import { type MessageRecord, recordOf } from '../core/history.ts';
import { type Message, resourceKey, webhookBody } from '../core/message.ts';
import { afterAttempt, attemptOf, cancelled, isFinal, parked } from '../core/outcome.ts';
import { signedHeaders } from '../core/signature.ts';
import type { Subscription } from '../core/subscription.ts';
import type { Outbox } from './outbox.ts';
import type { DeliverPorts, Delivery, Found, Outcome } from './ports.ts';

/**
 * Delivers the records of one ordering key, one after another. The first that fails sends itself and all that follow back to the queue, so
 * that nothing overtakes it; so does what could not end in time.
 *
 * @param endsAtMs no try is started that could end after this instant
 */
export async function deliverGroup(
  group: readonly Delivery[],
  found: Found,
  outbox: Outbox,
  endsAtMs: number,
  ports: DeliverPorts,
): Promise<void> {
  for (const [index, delivery] of group.entries()) {
    const { message } = delivery;
    const known = outbox.recordOf(message.message_id) ?? found.records.get(message.message_id);
    if (known !== undefined && isFinal(known)) {
      ports.observeRepeat(message);
      outbox.done(delivery);
      continue;
    }
    const fault = found.faults.get(message.subscription_id) ?? found.faults.get(message.message_id);
    if (fault !== undefined) {
      throw fault;
    }
    const subscription = found.subscriptions.get(message.subscription_id);
    if (subscription === undefined) {
      const record = known ?? recordOf(message, undefined);
      outbox.done(delivery, [{ record: cancelled(record, 'deleted') }]);
      continue;
    }
    const body = bodyOf(message, known, found);
    const record = known ?? newRecord(message, body);
    if (ports.now() + subscription.timeout_ms > endsAtMs) {
      outbox.back(group.slice(index), parkedOf(group.slice(index), 'catching_up', found, outbox));
      return;
    }
    const attempt = await tryOnce(delivery, subscription, body, known, found, ports);
    const next = { ...afterAttempt(record, attempt), receive_count: delivery.receiveCount };
    const outcome = { record: next, ...(attempt.attempt === 1 ? {} : { laterAttempt: attempt }) };
    ports.observe({ message, attempt, record: next, receiveCount: delivery.receiveCount });
    if (next.state === 'succeeded') {
      outbox.done(delivery, [outcome]);
    } else {
      const rest = group.slice(index);
      // The same message may stand in the group once more: it is on record by its attempt.
      const behind = rest.filter((one) => one.message.message_id !== message.message_id);
      outbox.back(rest, [outcome, ...parkedOf(behind, 'behind_earlier', found, outbox)]);
      return;
    }
  }
}

async function tryOnce(
  { message, receiveCount }: Delivery,
  subscription: Subscription,
  body: string,
  known: MessageRecord | undefined,
  found: Found,
  ports: DeliverPorts,
) {
  const startedAtMs = ports.now();
  const attempt = (known?.attempt_count ?? 0) + 1;
  const headers = signedHeaders({
    messageId: message.message_id,
    timestampSeconds: Math.floor(startedAtMs / 1_000),
    body,
    secrets: found.secrets.get(message.subscription_id) ?? [],
    attempt,
  });
  const result = await ports.post({
    url: subscription.callback_url,
    live: subscription.live,
    headers,
    body,
    deadlineMs: subscription.timeout_ms,
  });
  return attemptOf(attempt, startedAtMs, result, earlierMayBeMissing(known, receiveCount));
}

/**
 * Whether somebody received the message, and did not live to record what came of it. Only a message that has been tried, or is not on record at
 * all, tells: one that waits behind an earlier one is received as often as that.
 */
function earlierMayBeMissing(known: MessageRecord | undefined, receiveCount: number): boolean {
  if (known === undefined) {
    return receiveCount > 1;
  }
  return known.attempt_count > 0 && receiveCount > (known.receive_count ?? receiveCount) + 1;
}

/** Records for those that go back without a try and are not on record yet: they wait, and it can be seen why. */
function parkedOf(
  waiting: readonly Delivery[],
  reason: 'behind_earlier' | 'catching_up',
  found: Found,
  outbox: Outbox,
): Outcome[] {
  const unknown = waiting
    .map(({ message }) => message)
    .filter(({ message_id: id }) => outbox.recordOf(id) === undefined && !found.records.has(id));
  // Where a repeat waits behind its message, the message's own admission counts.
  const distinct = Map.groupBy(unknown, ({ message_id }) => message_id);
  return [...distinct.values()].map(([message]) => ({
    record: parked(newRecord(message!, bodyOf(message!, undefined, found)), reason),
  }));
}

/** A body whose resource did not travel is not written again with the message: it can be put together from the event's. */
function newRecord(message: Message, body: string) {
  return recordOf(message, message.resource === undefined ? undefined : body);
}

function bodyOf(message: Message, known: MessageRecord | undefined, found: Found): string {
  const resource = message.resource ?? found.resources.get(resourceKey(message));
  if (known?.body !== undefined) {
    return known.body;
  }
  if (resource === undefined) {
    throw new Error(`the resource of event ${message.event_id} neither travelled nor is in the history`);
  }
  return webhookBody(message, resource);
}
