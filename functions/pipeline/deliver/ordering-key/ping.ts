import { concludedRecord } from '../../../core/attempt/outcome.ts';
import { isGone } from '../../../core/subscription/subscription.ts';
import type { Batch } from '../batch.ts';
import { tryOnce } from '../endpoint/attempt-once.ts';
import type { Delivery } from '../ports.ts';
import { isJustDeleted } from './advance.ts';
import { headOfDelivery } from './head.ts';
import type { OrderingKeySession } from './ordering-key-session.ts';

/**
 * Attempts a test ping once, whatever the circuit of its subscription and whether that is paused or disabled; nobody is told how it went but the
 * history. Only when its subscription is gone it is not attempted. Without the time for an attempt its record stays in the queue, which hands it
 * out again: its key is its own, so it holds nobody up.
 *
 * @throws when something of ours is missing that it takes: then, too, its record comes again
 */
export async function ping(record: Delivery, session: OrderingKeySession, batch: Batch): Promise<void> {
  const { found, outbox, ports } = batch;
  const head = headOfDelivery(record, found);
  if (head.internalError !== undefined) {
    throw head.internalError;
  }
  const subscription = found.subscriptions.get(record.message.subscription_id);
  if (subscription === undefined || isGone(subscription) || (await isJustDeleted(subscription, batch))) {
    const cancelled = concludedRecord(head.record, { state: 'cancelled', reason: 'deleted' }, ports.now());
    ports.observer.concluded(cancelled);
    outbox.done(record, [{ record: cancelled }]);
    return;
  }
  const mayStart = () => ports.now() + subscription.timeout_ms <= batch.attemptsUntilMs;
  if (!mayStart()) {
    return;
  }
  const tried = await tryOnce(head, {
    subscription,
    isProbe: false,
    isPing: true,
    mayStart,
    session,
    batch,
  });
  if (tried !== undefined) {
    outbox.done(record, [tried.outcome]);
  }
}
