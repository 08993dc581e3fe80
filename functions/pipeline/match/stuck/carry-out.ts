import type { StuckSignal } from '../../../core/signal/stuck-signal.ts';
import type { StuckEvent } from '../../../core/stuck/ports.ts';
import { NONE_STUCK, withoutStuck } from '../../../core/stuck/stuck-payments.ts';
import type { Intake, MatchPorts } from '../ports.ts';

/** So many events go on together, as in a batch. */
const TOGETHER = 10;

/** A payment is left stuck when something else was set aside for its service as often meanwhile. */
const MAX_TRIES = 20;

/**
 * Carries out the signal of an operator: what waits goes on in order, up to the first event that still fails;
 * then the payment is stuck no more. Never rejects.
 *
 * @param goOn makes messages of records, and answers those that come again
 * @returns whether the signal comes again
 */
export async function carryOut(
  signal: StuckSignal,
  ports: MatchPorts,
  goOn: (intakes: readonly Intake[]) => Promise<readonly Intake[]>,
): Promise<boolean> {
  try {
    let isSkipped = false;
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const { stuck, untaken } = await ports.routesOf([signal.service_id]);
      if (untaken.size > 0) {
        throw new Error(`routes of ${signal.service_id}: could not be read, too much at once`);
      }
      const events = await ports.stuckEvents(signal, TOGETHER);
      const [first] = events;
      if (first === undefined) {
        const known = stuck.get(signal.service_id) ?? NONE_STUCK;
        if (await ports.free(signal, { known, next: withoutStuck(known, signal.payment_id) })) {
          return false;
        }
      } else if (signal.kind === 'skip' && signal.record_id === first.record_id && !isSkipped) {
        const skipped = {
          intake: intakeOf(first),
          reason: 'skipped',
          explanation: 'an operator skipped it',
        } as const;
        if ((await ports.deadLetter([skipped])).length > 0) {
          return true;
        }
        await ports.dropStuck([first]);
        isSkipped = true;
      } else {
        const again = new Set((await goOn(events.map(intakeOf))).map(({ recordId }) => recordId));
        await ports.dropStuck(events.filter(({ record_id }) => !again.has(record_id)));
        if (again.size > 0) {
          return false;
        }
      }
    }
    return false;
  } catch (error) {
    ports.internalError(error, 1);
    return true;
  }
}

function intakeOf({ record_id, group, body, order_number, admitted_at_ms }: StuckEvent): Intake {
  return {
    recordId: record_id,
    group,
    body,
    orderNumber: order_number,
    admittedAtMs: admitted_at_ms,
    // It was tried before: whether a message of it was sent has to be looked up.
    receiveCount: 2,
  };
}
