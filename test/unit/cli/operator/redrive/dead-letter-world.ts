import type { DeadLetter, Received, RedrivePorts } from '../../../../../cli/operator/redrive/dead-letter.ts';
import { ORIGINAL, PUT_BACK_AT } from '../../../../../cli/operator/redrive/dead-letter.ts';
import { message, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';

/** A record of dead letters; a test names only what it is about. */
export function received(over: Partial<Received> & { readonly body: string }): Received {
  return {
    recordId: `record of ${over.body}`,
    receipt: '',
    group: 'group',
    sentAtMs: TEN_O_CLOCK_MS,
    attributes: {},
    ...over,
  };
}

/** A message of a payment that is among the dead letters of deliveries; the step is its place. */
export function messageDeadLetter(payment_id: string, step: number, over: Partial<Received> = {}): Received {
  const of = message({
    payment_id,
    event_id: `${payment_id}-${step}`,
    order_number: String(step).padStart(20, '0'),
  });
  return received({
    recordId: `${payment_id}/${step}`,
    group: `sub_1.${payment_id}`,
    body: JSON.stringify(of),
    ...over,
  });
}

interface Conduct {
  readonly isFifo?: boolean;
  /** What the queue does not take. */
  readonly refuse?: (deadLetter: DeadLetter) => boolean;
  /** What cannot be deleted. */
  readonly keep?: (deadLetter: DeadLetter) => boolean;
  /** What the worker puts aside again at once, with this reason. */
  readonly deadLettered?: (body: string) => string | undefined;
}

/**
 * Dead letters in memory that keep the promises of SQS: of a group at most ten at a time, and no others until
 * these are gone or given back.
 */
export function deadLetterWorld(records: readonly Received[], conduct: Conduct = {}) {
  const { isFifo = true, refuse = () => false, keep = () => false, deadLettered = () => undefined } = conduct;
  let stored = [...records];
  let count = 0;
  const hidden = new Set<string>();
  const sends: string[][] = [];
  const went: { body: string; group: string | undefined }[] = [];

  const ports: RedrivePorts = {
    async receive() {
      const blocked = new Set(
        stored.filter(({ recordId }) => hidden.has(recordId)).map(({ group }) => group),
      );
      const found = stored
        .filter(({ recordId, group }) => (isFifo ? !blocked.has(group) : !hidden.has(recordId)))
        .slice(0, 10);
      for (const { recordId } of found) {
        hidden.add(recordId);
      }
      return found;
    },
    async count() {
      return stored.length;
    },
    async send(deadLetters) {
      const taken = deadLetters.filter((deadLetter) => !refuse(deadLetter));
      sends.push(deadLetters.map(({ received: { recordId } }) => recordId));
      for (const { goes } of taken) {
        went.push({ body: goes.body, group: goes.group });
        const Reason = deadLettered(goes.body);
        if (Reason !== undefined) {
          count += 1;
          const { body, group = '' } = goes;
          stored.push(received({ recordId: `dead letter ${count}`, body, group, attributes: { Reason } }));
        }
      }
      return { taken };
    },
    async remove(deadLetters) {
      const kept = deadLetters.filter(keep);
      const gone = new Set(
        deadLetters.filter((one) => !keep(one)).map(({ received: { recordId } }) => recordId),
      );
      stored = stored.filter(({ recordId }) => !gone.has(recordId));
      return kept;
    },
    async giveBack(of) {
      for (const { recordId } of of) {
        hidden.delete(recordId);
      }
    },
    async takeApart(deadLetters) {
      for (const { received: one, position } of deadLetters) {
        count += 1;
        stored = stored.filter(({ recordId }) => recordId !== one.recordId);
        hidden.delete(one.recordId);
        stored.push({
          ...one,
          recordId: `${one.recordId} apart`,
          group: `apart ${one.recordId}`,
          attributes: {
            ...one.attributes,
            [ORIGINAL.group]: one.group ?? '',
            [ORIGINAL.position]: position ?? String(count).padStart(5, '0'),
          },
        });
      }
    },
    now: () => TEN_O_CLOCK_MS,
  };

  return {
    ports,
    /** What the queue took, in the order in which it did. */
    went,
    /** Ids by call. */
    sends,
    /** What is among the dead letters now, and whether somebody holds it. */
    left: () => stored.map(({ recordId }) => (hidden.has(recordId) ? `${recordId} (held)` : recordId)),
  };
}

/** Was put back an hour before. */
export const PUT_BACK = { attributes: { [PUT_BACK_AT]: '2026-11-14T09:00:00.000Z' } };
