import type { MessageRecord } from '../../../core/message/history.ts';
import { concludedRecord, isFinal } from '../../../core/message/outcome.ts';
import type { BlockedKey } from '../../../core/ordering/blocked-ordering-key.ts';
import { positionOf } from '../../../core/sequence/order-number.ts';
import type { Batch } from '../batch.ts';
import type { Signalled } from '../ports.ts';
import type { OrderingKeySession } from './ordering-key-session.ts';
import { settleLease } from './settle-lease.ts';

/**
 * Ends a message that its partner does not want any more, whatever it waits for: what waits behind it may go
 * on. Does nothing for a message that is unknown or has ended, perhaps by an attempt that was under way.
 */
export async function cancel(
  { signal, receiveCount }: Signalled,
  session: OrderingKeySession,
  batch: Batch,
): Promise<void> {
  const { found, writes, ports } = batch;
  const id = signal.message_id ?? '';
  // What this batch itself has written of it is newer than what it read.
  const record = writes.recordOf(id) ?? found.records.get(id);
  const { key } = session;
  if (
    record === undefined ||
    isFinal(record) ||
    record.ordering_key !== session.orderingKey ||
    key === undefined
  ) {
    return;
  }
  const { waiting, isAll } = await ports.waitingIn(session.orderingKey);
  const [head, next] = waiting;
  const reason = 'cancelled_by_partner';
  const queued = waiting.find(({ queuedMessage }) => queuedMessage.message_id === id);
  const inHand = queued && {
    record,
    queuedMessage: queued.queuedMessage,
    receiveCount,
  };
  const subscription = found.subscriptions.get(signal.subscription_id);
  const made = inHand && (await settleLease(inHand, { subscription, why: reason, batch }));
  const ended = concludedRecord(record, { state: 'cancelled', reason }, ports.now());
  const changes = {
    removed: [positionOf(record, record.late)],
    outcomes: [made?.outcome ?? { record: ended }],
  };
  if (head?.queuedMessage.message_id !== id) {
    await session.changeBehind(changes);
  } else if (next === undefined && isAll) {
    await session.move({ input: { kind: 'emptied' }, oldestSince: key.oldest_since, ...changes });
  } else {
    const { since } = (next ?? head).queuedMessage;
    await session.move({ input: { kind: afterCancelled(record, key) }, oldestSince: since, ...changes });
  }
  if (made === undefined) {
    ports.observer.concluded(ended);
  }
}

/**
 * The next message is due now, or waits in the backlog for its own turn. It is due when it was before if the
 * cancelled one had only come before it, while it was retried: one that is sent late goes behind all others.
 */
function afterCancelled({ state }: MessageRecord, key: BlockedKey) {
  if (key.state === 'backlogged') {
    return 'took_turn';
  }
  return key.state === 'waiting' && state !== 'retrying' ? 'moved_on' : 'released';
}
