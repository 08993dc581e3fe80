import type { RedrivePorts } from '../../../../cli/operator/redrive/dead-letter.ts';
import {
  type DeadLetter,
  ORIGINAL,
  PUT_BACK_AT,
  type Received,
} from '../../../../cli/operator/redrive/dead-letter.ts';
import type { Surroundings } from '../../workers/invocation.ts';
import type { FifoQueue } from './fifo-queue.ts';

const HIDDEN_MS = 600_000;
const MAX_AT_ONCE = 10;
/** A receive waits up to a second for records; other calls are quick. */
const CALL_MS = 40;
const WAIT_MS = 1_000;
/** The share of entries that are not sent, or not deleted: the operator runs the command again. */
const UNTAKEN = 0.05;

/** The dead letters of a queue, and their redrive, as `npm run ops -- redrive` sees them. */
export function deadLetters(
  from: FifoQueue,
  target: FifoQueue,
  { clock, dice, newId, tell }: Surroundings,
  whenTaken: (deadLetter: DeadLetter, sentAtMs: number) => void,
): RedrivePorts {
  const fails = () => dice.chance(UNTAKEN);
  const remove = (deadLetters: readonly DeadLetter[]) =>
    deadLetters.filter(({ received }) => fails() || !from.delete(received.receipt));
  let unfolded = 0;
  return {
    async receive() {
      const records = from.receive(MAX_AT_ONCE);
      await clock.after(records.length === 0 ? WAIT_MS : CALL_MS);
      return records.map(({ id, receipt, body, group, sentAtMs, attributes = {} }): Received => {
        from.changeVisibility(receipt, HIDDEN_MS);
        return { recordId: id, receipt, body, group, sentAtMs, attributes };
      });
    },
    async count() {
      await clock.after(CALL_MS);
      return from.records.length;
    },
    async send(deadLetters) {
      await clock.after(CALL_MS);
      const taken = deadLetters.filter((deadLetter) => {
        const { body, group = '' } = deadLetter.goes;
        if (fails()) {
          return false;
        }
        const attributes = { [PUT_BACK_AT]: new Date(clock.now()).toISOString() };
        const sent = target.send({ body, group, deduplicationId: newId(), attributes });
        tell(() => `redrive: sends ${deadLetter.what} of ${deadLetter.key} back`);
        if (sent !== undefined) {
          whenTaken(deadLetter, sent.sentAtMs);
        }
        return sent !== undefined;
      });
      return { taken };
    },
    async remove(deadLetters) {
      await clock.after(CALL_MS);
      return remove(deadLetters);
    },
    async giveBack(received) {
      await clock.after(CALL_MS);
      for (const { receipt } of received) {
        from.changeVisibility(receipt, 0);
      }
    },
    async takeApart(deadLetters) {
      for (const { received, position } of deadLetters) {
        unfolded += 1;
        from.send({
          body: received.body,
          group: `apart-${received.recordId}`,
          deduplicationId: received.recordId,
          attributes: {
            ...received.attributes,
            [ORIGINAL.group]: received.group ?? '',
            [ORIGINAL.position]: position ?? String(unfolded).padStart(8, '0'),
            [ORIGINAL.sentAt]: String(received.sentAtMs),
          },
        });
        from.delete(received.receipt);
      }
      await clock.after(CALL_MS);
    },
    now: () => clock.now(),
  };
}
