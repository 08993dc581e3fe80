import { concludedRecord } from '../../../core/message/outcome.ts';
import type { Outcome } from '../../../core/message/ports.ts';
import { isGone } from '../../../core/subscription/subscription.ts';
import type { Batch } from '../batch.ts';
import { attemptOnce } from '../endpoint/attempt-once.ts';
import { headOfDelivery, isJustDeleted } from '../look-up.ts';
import type { Delivery } from '../ports.ts';

/**
 * Attempts a test ping once, whatever the state and the circuit of its subscription, unless that is gone.
 * Only the history learns how it went. A ping has an ordering key of its own, so it delays no other message.
 *
 * @returns what to write; undefined when there is no time for an attempt, so that SQS has to deliver the ping
 * again
 * @throws when something of ours is missing that the attempt needs: then, too, SQS delivers it again
 */
export async function ping(record: Delivery, batch: Batch): Promise<readonly Outcome[] | undefined> {
  const { found, ports } = batch;
  const head = headOfDelivery(record, found);
  if (head.internalError !== undefined) {
    throw head.internalError;
  }
  const subscription = found.subscriptions.get(record.message.subscription_id);
  if (subscription === undefined || isGone(subscription) || (await isJustDeleted(subscription, batch))) {
    const cancelled = concludedRecord(head.record, { state: 'cancelled', reason: 'deleted' }, ports.now());
    ports.observer.concluded(cancelled);
    return [{ record: cancelled }];
  }
  const mayStart = () => ports.now() + subscription.timeout_ms <= batch.attemptsUntilMs;
  const made = mayStart()
    ? await attemptOnce(head, { subscription, isProbe: false, isPing: true, mayStart, batch })
    : undefined;
  return made && [made.outcome];
}
