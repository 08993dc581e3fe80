import type { NumberedEvent } from '../../../core/event/event.ts';
import { NewerFormatError } from '../../../core/event/format-version.ts';
import { gapOf } from '../../../core/sequence/gap.ts';
import {
  newSequence,
  type PaymentName,
  type PaymentSequence,
} from '../../../core/sequence/payment-sequence.ts';
import type { HeldEvent } from '../../../core/sequence/ports.ts';
import {
  admitWaiting,
  arrive,
  giveUp,
  MAX_EARLY,
  nextPosition,
  type Position,
  reservedPosition,
  type Step,
} from '../../../core/sequence/steps.ts';
import type { Route } from '../../../core/subscription/subscription.ts';
import { instant } from '../../../core/text/instant.ts';
import { type EventInTurn, type Matched, numberedMatchedOf, type Usable } from '../make-messages.ts';
import type { Intake, MatchPolicy, MatchPorts } from '../ports.ts';

/**
 * At most this many events of a payment are admitted at a time, so that their messages can be sent in the
 * time that there is.
 */
const MAX_ADMITTED = 50;

/** A record about a payment whose events are numbered: an event, or a look at what waits. */
export interface NumberedRecord {
  readonly intake: Intake;
  /** Absent: a gap signal. */
  readonly usable?: Usable & { readonly event: NumberedEvent };
  /** When the gap signal was sent, in ms since 1970. */
  readonly askedAtMs?: number;
}

/** Events of a payment that came, and what follows from them. */
export interface NumberedPayment {
  readonly payment: PaymentName;
  readonly records: readonly [NumberedRecord, ...NumberedRecord[]];
  /** As stored. */
  readonly known: PaymentSequence | undefined;
  readonly planned: readonly PlannedStep[];
  /** Whose steps do not fit into this batch. */
  readonly left: readonly Intake[];
  /** From a signal on that gives something up: once the others are written. */
  readonly later: readonly Intake[];
}

/** A step of the sequence, and what is sent because of it. */
interface PlannedStep {
  readonly record: NumberedRecord;
  readonly step: Step;
  /** Undefined: nothing is admitted. */
  readonly matched?: Matched;
  /** Its turn has come, but it is not stored any more. */
  readonly missing?: Error;
  /** What is stored of the payment after this step. */
  readonly after: PaymentSequence;
}

/**
 * Decides what the records of a payment admit, in its own message group. What was waited for long enough is
 * given up if the first of them asks for it; that is written before anything is sent, so that an event that
 * comes later is known to be late, whoever dies meanwhile. A signal behind the first waits until that is
 * written.
 *
 * @throws OvertakenPaymentError
 * @throws UnreadableEventError
 */
export async function numberedPaymentOf(
  payment: PaymentName,
  records: readonly [NumberedRecord, ...NumberedRecord[]],
  stored: PaymentSequence | undefined,
  routes: readonly Route[],
  ports: MatchPorts,
  policy: MatchPolicy,
): Promise<NumberedPayment> {
  const nowMs = ports.now();
  const [first] = records;
  let known = stored;
  const state = stored ?? newSequence(payment, first.intake.group);
  const afterGivingUp = afterAsking(first, state, policy);
  if (afterGivingUp !== state) {
    // Whoever continues if this worker dies uses the same numbers.
    const next = { ...afterGivingUp, ...reservedPosition(afterGivingUp, positionOf(first)) };
    known = await writeProgress(stored, next, nowMs, ports, policy);
  }
  const { steps, left, later } = stepsOf(records, known ?? state, nowMs, policy);
  if (known === undefined && policy.hasQueueDoor && steps.some(({ step }) => step.kind === 'admitted')) {
    // Another door may bring the first events at this moment: one of the two groups becomes the payment's own.
    known = await writeProgress(undefined, state, nowMs, ports, policy);
  }
  const inHand = new Map(records.flatMap(({ usable }) => (usable ? [[usable.event.event_id, usable]] : [])));
  const toRead = steps.flatMap(({ step }) =>
    step.kind === 'admitted' && step.event.since !== undefined && !inHand.has(step.event.event_id)
      ? [{ ...payment, ...step.event }]
      : [],
  );
  const held = new Map(
    (toRead.length === 0 ? [] : await ports.held(toRead)).map((one, index) => {
      if (one instanceof Error) {
        throw one instanceof NewerFormatError ? one : new UnreadableEventError(one.message);
      }
      return [toRead[index]?.event_id, one];
    }),
  );
  const planned = plannedSteps(steps, known ?? state, { inHand, held, routes });
  return { payment, records, known, planned, left, later };
}

/**
 * The record of a payment was written by another worker, as happens when its first events come through bus
 * and queue at once: what is stored now decides.
 */
export class OvertakenPaymentError extends Error {
  override readonly name = 'OvertakenPaymentError';
}

/**
 * An event whose turn has come is stored and cannot be read: without it the payment cannot continue, and
 * passing over it would lose it.
 */
export class UnreadableEventError extends Error {
  override readonly name = 'UnreadableEventError';
}

/** Writes how far a payment is. @throws OvertakenPaymentError */
export async function writeProgress(
  known: PaymentSequence | undefined,
  next: PaymentSequence,
  nowMs: number,
  ports: Pick<MatchPorts, 'advance'>,
  policy: MatchPolicy,
): Promise<PaymentSequence> {
  const stored = await ports.advance(known, next, gapOf(next, nowMs, policy));
  if (stored === undefined) {
    throw new OvertakenPaymentError(
      `payment ${next.payment_id} of ${next.service_id} was changed by another worker`,
    );
  }
  return stored;
}

/**
 * Gives up what had waited too long when a signal was sent, or if too much waits. Never by this worker's time:
 * whoever gets the record again must decide likewise, since what came of those behind it may be sent already.
 */
function afterAsking(
  { usable, askedAtMs = Number.NEGATIVE_INFINITY }: NumberedRecord,
  state: PaymentSequence,
  { sequenceGapMs }: MatchPolicy,
): PaymentSequence {
  const { early, next } = state;
  const asks = usable === undefined || (early.length >= MAX_EARLY && usable.event.sequence !== next);
  return asks ? giveUp(state, askedAtMs, sequenceGapMs) : state;
}

interface RecordStep {
  readonly record: NumberedRecord;
  readonly step: Step;
}

function stepsOf(
  records: readonly NumberedRecord[],
  from: PaymentSequence,
  nowMs: number,
  policy: MatchPolicy,
): { readonly steps: readonly RecordStep[] } & Pick<NumberedPayment, 'left' | 'later'> {
  const rest = (index: number) => records.slice(index).map(({ intake }) => intake);
  const steps: RecordStep[] = [];
  let state = from;
  let admitted = 0;
  for (const [index, record] of records.entries()) {
    if (index > 0 && record.usable === undefined && afterAsking(record, state, policy) !== state) {
      // What a signal gives up has to be written after what those before it send, and before those behind it.
      return { steps, left: [], later: rest(index) };
    }
    const next =
      record.usable === undefined ? admitWaiting(state) : arrive(state, record.usable.event, instant(nowMs));
    for (const step of next) {
      admitted += step.kind === 'admitted' ? 1 : 0;
      if (admitted > MAX_ADMITTED) {
        return { steps, left: rest(index), later: [] };
      }
      steps.push({ record, step });
      state = step.after;
    }
  }
  return { steps, left: [], later: [] };
}

function plannedSteps(
  steps: readonly RecordStep[],
  before: PaymentSequence,
  {
    inHand,
    held,
    routes,
  }: {
    readonly inHand: ReadonlyMap<string, Usable>;
    readonly held: ReadonlyMap<string | undefined, HeldEvent | undefined>;
    readonly routes: readonly Route[];
  },
): PlannedStep[] {
  const subscriptions = new Set(routes.map(({ subscription_id }) => subscription_id));
  let sent = Object.fromEntries(Object.entries(before.sent).filter(([id]) => subscriptions.has(id)));
  let { order_number, admitted_at_ms }: Position = before;
  return steps.map(({ record, step }) => {
    const plan = (outcome: Pick<PlannedStep, 'matched' | 'missing'> = {}): PlannedStep => ({
      record,
      step,
      ...outcome,
      after: { ...step.after, sent, order_number, admitted_at_ms },
    });
    if (step.kind !== 'admitted') {
      return plan();
    }
    const { event_id, since } = step.event;
    const { intake } = record;
    const own = record.usable?.event.event_id === event_id ? record.usable : inHand.get(event_id);
    const usable = own ?? held.get(event_id);
    if (usable === undefined) {
      const { sequence } = step.event;
      return plan({
        missing: new Error(`event ${event_id}, number ${sequence}, waited and is not stored any more`),
      });
    }
    ({ order_number, admitted_at_ms } = nextPosition({ order_number, admitted_at_ms }, positionOf(record)));
    // A gap signal that is redelivered may be older than what it admits.
    admitted_at_ms = Math.max(admitted_at_ms, arrivedAtMs(usable));
    const inTurn: EventInTurn = {
      ...usable,
      intake,
      orderNumber: order_number,
      admittedAtMs: admitted_at_ms,
      arrivedAtMs: since === undefined ? undefined : arrivedAtMs(usable),
    };
    const numbered = numberedMatchedOf(inTurn, step.event, routes, sent);
    sent = numbered.sent;
    return plan({ matched: numbered.matched });
  });
}

function positionOf({ intake: { orderNumber, admittedAtMs } }: NumberedRecord): Position {
  return { order_number: orderNumber, admitted_at_ms: admittedAtMs };
}

function arrivedAtMs(usable: Usable | HeldEvent): number {
  return 'arrivedAtMs' in usable ? usable.arrivedAtMs : usable.intake.admittedAtMs;
}
