import { RefusedError } from '../../../core/errors/refused-error.ts';
import type { Message } from '../../../core/message/message.ts';
import type { EarlyEvent, PaymentSequence } from '../../../core/sequence/payment-sequence.ts';
import type { HeldName } from '../../../core/sequence/ports.ts';
import { gapEndsAtMs } from '../../../core/sequence/steps.ts';
import { ifNear } from '../../../core/signal/due.ts';
import { gapSignal } from '../../../core/signal/gap-signal.ts';
import type { DeadEvent, Intake, MatchPolicy, MatchPorts } from '../ports.ts';
import type { Results } from '../results.ts';
import { type NumberedPayment, type NumberedRecord, writeProgress } from './numbered-payment.ts';

/** What precedes the last write about a payment. */
export interface Sending {
  /** Messages that were not sent. */
  readonly unsent: ReadonlySet<Message>;
  /** A write about the payment was refused: what waits may be of that write, whose answer was lost. */
  readonly wasOvertaken: boolean;
}

/**
 * Writes how far a payment is once its messages are sent: up to the first that was not. Then sets the timer
 * for what waits. Records whose steps are not written are redelivered, and events that the store refuses to
 * hold dead-lettered.
 *
 * @returns the records that can be decided now: those that waited for this
 * @throws OvertakenPaymentError
 */
export async function settle(
  { records, known, planned, left, later }: NumberedPayment,
  { unsent, wasOvertaken }: Sending,
  ports: MatchPorts,
  policy: MatchPolicy,
  results: Results,
): Promise<readonly Intake[]> {
  const nowMs = ports.now();
  const stop = planned.findIndex(({ matched }) => matched?.messages.some((message) => unsent.has(message)));
  const settled = stop === -1 ? planned : planned.slice(0, stop);
  const unsettled = planned.slice(settled.length).map(({ record }) => record.intake);
  // A signal may be early by the clock of this worker, and a worker that died may not have set the timer.
  const mayLackTimer =
    wasOvertaken || records.some(({ usable, intake }) => usable === undefined || intake.receiveCount > 1);
  const last = settled.at(-1);
  if (last === undefined || settled.every(({ step }) => step.kind === 'repeated')) {
    const again = [...unsettled, ...left];
    if (known !== undefined && mayLackTimer && again.length === 0) {
      await arm(known, nowMs, ports, policy);
    }
    return goOn(again, later, results);
  }
  const { early, unheld, refused } = await hold(records, known, last.after.early, ports);
  const stored = await writeProgress(known, { ...last.after, early }, nowMs, ports, policy);
  // Only now: another worker that had admitted it would have won.
  for (const { missing } of settled) {
    if (missing !== undefined) {
      ports.internalError(missing, 1);
    }
  }
  const gone = known?.early.filter((event) => !early.some((other) => isSame(event, other))) ?? [];
  await ports.drop(gone.map((event): HeldName => ({ ...stored, ...event })));
  const again = [...unsettled, ...left, ...unheld];
  const isNews = endOf(stored, policy) !== (known && endOf(known, policy));
  // When it was last written, its end may have been too far away for a timer; from now on sweep counts on
  // one.
  const wasFar = policy.sequenceGapMs >= policy.longestTimerMs;
  // The worker that gets them then sets it.
  if ((isNews || mayLackTimer || wasFar) && again.length === 0) {
    await arm(stored, nowMs, ports, policy);
  }
  results.dead(refused);
  return goOn(again, later, results);
}

/** What waits goes on unless something before it is redelivered. */
function goOn(again: readonly Intake[], later: readonly Intake[], results: Results): readonly Intake[] {
  results.again(again);
  if (again.length > 0) {
    results.again(later);
    return [];
  }
  return later;
}

function endOf(payment: PaymentSequence, { sequenceGapMs }: MatchPolicy): number | undefined {
  return gapEndsAtMs(payment, sequenceGapMs);
}

/** Stores the events that wait from now on. One that could not be stored is as if it had not come. */
async function hold(
  records: readonly NumberedRecord[],
  known: PaymentSequence | undefined,
  early: readonly EarlyEvent[],
  ports: Pick<MatchPorts, 'hold' | 'internalError'>,
): Promise<{ early: EarlyEvent[]; unheld: Intake[]; refused: DeadEvent[] }> {
  const unheld: Intake[] = [];
  const refused: DeadEvent[] = [];
  const waits = await Promise.all(
    early.map(async (event) => {
      const record = records.find(({ usable }) => usable !== undefined && isSame(usable.event, event));
      if (record?.usable === undefined || known?.early.some((other) => isSame(event, other))) {
        return true;
      }
      const { intake, usable } = record;
      try {
        await ports.hold({ ...usable, arrivedAtMs: intake.admittedAtMs });
        return true;
      } catch (error) {
        if (error instanceof RefusedError) {
          refused.push({ intake, reason: 'unstorable', explanation: error.message });
        } else {
          ports.internalError(error, 1);
          unheld.push(intake);
        }
        return false;
      }
    }),
  );
  return { early: early.filter((_, index) => waits[index]), unheld, refused };
}

/** Sets the timer of what waits. Sweep sets one that could not be set. */
async function arm(
  payment: PaymentSequence,
  nowMs: number,
  ports: Pick<MatchPorts, 'arm' | 'internalError'>,
  policy: MatchPolicy,
): Promise<void> {
  const endsAtMs = endOf(payment, policy);
  const timers =
    endsAtMs === undefined
      ? []
      : ifNear({ timer: gapSignal(payment), dueAtMs: Math.max(endsAtMs, nowMs) }, nowMs, policy);
  if (timers.length === 0) {
    return;
  }
  try {
    await ports.arm(timers);
  } catch (error) {
    ports.internalError(error, 0);
  }
}

function isSame(one: Pick<EarlyEvent, 'event_id'> & { sequence: number }, other: EarlyEvent): boolean {
  return one.sequence === other.sequence && one.event_id === other.event_id;
}
