import { isPing } from '../../../core/catalogue/ping-names.ts';
import { askedAgain, isFinal } from '../../../core/message/outcome.ts';
import { positionOf } from '../../../core/sequence/order-number.ts';
import { isGone } from '../../../core/subscription/subscription.ts';
import { instant } from '../../../core/text/instant.ts';
import type { Batch } from '../batch.ts';
import type { Signalled } from '../ports.ts';
import type { OrderingKeySession } from './ordering-key-session.ts';

/**
 * Queues a message that had ended behind all that wait for its ordering key, with its whole schedule ahead of
 * it; makes one due that is retried, if it has not been since. Does nothing for a test ping, nor for a
 * message that waits for something else, is unknown, was erased, or whose subscription is gone.
 */
export async function resend(
  { signal }: Signalled,
  session: OrderingKeySession,
  batch: Batch,
): Promise<void> {
  const { found, writes, ports } = batch;
  const id = signal.message_id ?? '';
  // A message that this batch has dealt with is not resent: what was read of it is out of date.
  const record = writes.recordOf(id) === undefined ? found.records.get(id) : undefined;
  const isThere = !isGone(found.subscriptions.get(signal.subscription_id));
  const isOfThisKey = record?.ordering_key === session.orderingKey;
  const isSendable = record?.body_erased_at === undefined && !(record && isPing(record));
  if (record === undefined || !isOfThisKey || !isThere || !isSendable) {
    return;
  }
  const { key } = session;
  if (signal.after_attempt !== undefined) {
    const isRetried = record.state === 'retrying' && record.attempt_count === signal.after_attempt;
    if (isRetried && key?.state === 'waiting') {
      await session.move({ input: { kind: 'released' }, oldestSince: key.oldest_since });
    }
  } else if (isFinal(record)) {
    const nowMs = ports.now();
    const queuedMessage = {
      ordering_key: session.orderingKey,
      position: positionOf(record, true),
      message_id: id,
      since: instant(nowMs),
      failed_attempts: 0,
    };
    const reason = key === undefined ? 'catching_up' : 'behind_earlier';
    const again = askedAgain(record, reason, signal.recovery_id, nowMs);
    ports.observer.concluded(again);
    if (key === undefined) {
      await session.move({
        input: { kind: 'handed_over' },
        oldestSince: queuedMessage.since,
        queuedMessages: [queuedMessage],
        outcomes: [{ record: again }],
      });
    } else {
      await session.changeBehind({ queuedMessages: [queuedMessage], outcomes: [{ record: again }] });
    }
  }
}
