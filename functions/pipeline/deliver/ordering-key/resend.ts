import { askedAgain, isFinal } from '../../../core/attempt/outcome.ts';
import { isPing } from '../../../core/message/ping.ts';
import { placeOf } from '../../../core/ordering/blocked-ordering-key.ts';
import { isGone } from '../../../core/subscription/subscription.ts';
import { instant } from '../../../core/text/instant.ts';
import type { Batch } from '../batch.ts';
import type { Hinted } from '../ports.ts';
import type { KeySession } from './ordering-key-session.ts';
import { resume } from './resume.ts';

/**
 * Has a message that had ended wait in its key once more, behind all that wait there, with its whole schedule before it; then goes on with the
 * key, should it be due. A message that waits already, that nobody knows, whose body was
 * erased or whose subscription is gone, stays as it is, and so does a test ping.
 */
export async function resend(hinted: Hinted, session: KeySession, batch: Batch): Promise<void> {
  const { hint } = hinted;
  const { found, outbox, ports } = batch;
  const id = hint.message_id ?? '';
  // What this batch has already dealt with is not asked for once more: what was read of it is old.
  const record = outbox.recordOf(id) === undefined ? found.records.get(id) : undefined;
  const isThere = !isGone(found.subscriptions.get(hint.subscription_id));
  const isOfThisKey = record?.ordering_key === session.orderingKey;
  const isSendable = record?.body_erased_at === undefined && !(record && isPing(record));
  if (record !== undefined && isOfThisKey && isThere && isFinal(record) && isSendable) {
    const nowMs = ports.now();
    const pointer = {
      ordering_key: session.orderingKey,
      place: placeOf(record, true),
      message_id: id,
      since: instant(nowMs),
      failed_attempts: 0,
    };
    const { key } = session;
    const again = askedAgain(record, key === undefined ? 'catching_up' : 'behind_earlier', nowMs);
    ports.observer.concluded(again);
    if (key === undefined) {
      await session.take({
        input: { kind: 'handed_over' },
        oldestSince: pointer.since,
        pointers: [pointer],
        outcomes: [{ record: again }],
      });
    } else {
      await session.add([pointer], [{ record: again }]);
    }
  }
  await resume({ ...hinted, hint: { ...hint, wish: 'due' } }, session, batch);
}
