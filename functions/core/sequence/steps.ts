import { positionOf, rightBehind } from './order-number.ts';
import { digestOf, type EarlyEvent, type PaymentSequence } from './payment-sequence.ts';

/** How many events before `next` are known: enough to tell every repeat that EventBridge and SQS make. */
const REMEMBERED = 100;
/** How many events are known that came with the number of another. */
const REMEMBERED_OTHERS = 20;
/** With so many waiting, the first of them is not held any longer, nor are those beyond so many. */
export const MAX_EARLY = 100;

/** An event that goes on to delivery. */
export interface Admitted {
  readonly sequence: number;
  readonly event_id: string;
  /** Since when it has waited, ISO 8601; absent: it has just come. */
  readonly since?: string;
  /**
   * `gap_before`: the event before it was not waited for any longer. `late`: later ones had gone on before.
   */
  readonly mark?: 'gap_before' | 'late';
  /** It came so late that nobody knows whether it came before: it has no position. */
  readonly isUnplaced?: boolean;
  /** Another event has had its number. */
  readonly isReused?: boolean;
}

/** What became of an event, or of a look at what waits. */
export type Step =
  | { readonly kind: 'admitted'; readonly event: Admitted; readonly after: PaymentSequence }
  /** Before its turn: it waits. */
  | { readonly kind: 'early'; readonly after: PaymentSequence }
  /** It has come before: nothing is sent. */
  | { readonly kind: 'repeated'; readonly after: PaymentSequence };

export type Arrival = Pick<EarlyEvent, 'sequence' | 'event_id'>;

/**
 * What follows from an event that has come: its own step, and those of events that waited for it.
 *
 * @param arrival of a whole event only its name is kept: the event itself is held elsewhere
 */
export function arrive(before: PaymentSequence, arrival: Arrival, since: string): Step[] {
  const steps = goOn(before);
  const now = steps.at(-1)?.after ?? before;
  const own = stepOf(now, arrival, since);
  return [...steps, own, ...goOn(own.after)];
}

/** The steps of those that waited, and wait for nothing any more. */
export function goOn(before: PaymentSequence): Step[] {
  const steps: Step[] = [];
  for (let state = before; ; ) {
    const [first, ...early] = state.early;
    if (first === undefined || first.sequence > state.next) {
      return steps;
    }
    const step = placed({ ...state, early }, first);
    steps.push(step);
    state = step.after;
  }
}

/**
 * Gives up what has been waited for long enough: the events whose time is over, and those of a lower number,
 * go on. Has to be written before any of them is sent: an event that comes after that is late.
 *
 * @returns the same state when there is nothing to give up
 */
export function giveUp(before: PaymentSequence, nowMs: number, gapMs: number): PaymentSequence {
  const due = before.early.filter(({ since }) => Date.parse(since) + gapMs <= nowMs);
  const tooMany = before.early[before.early.length - MAX_EARLY];
  const upTo = Math.max(due.at(-1)?.sequence ?? 0, tooMany?.sequence ?? 0);
  if (upTo <= before.next) {
    return before;
  }
  const early = before.early.map((event, index) => {
    const previous = before.early[index - 1]?.sequence ?? before.next - 1;
    const isBehindGap = event.sequence <= upTo && event.sequence > previous + 1;
    return isBehindGap ? { ...event, gap_before: true } : event;
  });
  const skipped = Array<string>(Math.min(upTo - before.next, REMEMBERED)).fill('');
  return { ...before, next: upTo, recent: [...skipped, ...before.recent].slice(0, REMEMBERED), early };
}

/** When the first of what waits is not held any longer, in ms since 1970; undefined while nothing waits. */
export function gapEndsAtMs({ early }: Pick<PaymentSequence, 'early'>, gapMs: number): number | undefined {
  return early.length === 0 ? undefined : Math.min(...early.map(({ since }) => Date.parse(since))) + gapMs;
}

function stepOf(state: PaymentSequence, arrival: Arrival, since: string): Step {
  const isSame = ({ sequence, event_id }: Arrival) =>
    sequence === arrival.sequence && event_id === arrival.event_id;
  if (state.early.some(isSame)) {
    return { kind: 'repeated', after: state };
  }
  if (arrival.sequence > state.next) {
    const { sequence, event_id } = arrival;
    const early = [...state.early, { sequence, event_id, since }].sort((a, b) => a.sequence - b.sequence);
    return { kind: 'early', after: { ...state, early } };
  }
  return placed(state, arrival);
}

/** The step of an event whose number is not ahead. */
function placed(state: PaymentSequence, event: Arrival & Partial<EarlyEvent>): Step {
  const { sequence, event_id, since, gap_before } = event;
  const digest = digestOf(event_id);
  const admitted = { sequence, event_id, ...(since === undefined ? {} : { since }) };
  if (sequence === state.next) {
    const after = { ...state, next: sequence + 1, recent: [digest, ...state.recent].slice(0, REMEMBERED) };
    return { kind: 'admitted', event: { ...admitted, ...(gap_before ? { mark: 'gap_before' } : {}) }, after };
  }
  const index = state.next - 1 - sequence;
  const known = state.recent[index];
  if (known === digest || state.others.includes(digest)) {
    return { kind: 'repeated', after: state };
  }
  if (known === '') {
    const recent = state.recent.with(index, digest);
    // It has waited for its turn, and what it waited for was given up; or its own turn was.
    const mark = since === undefined ? 'late' : gap_before ? 'gap_before' : undefined;
    const after = { ...state, recent };
    return { kind: 'admitted', event: { ...admitted, ...(mark === undefined ? {} : { mark }) }, after };
  }
  const isReused = known !== undefined;
  if (isReused && state.others.length < REMEMBERED_OTHERS) {
    const after = { ...state, others: [digest, ...state.others] };
    return { kind: 'admitted', event: { ...admitted, mark: 'late', isReused }, after };
  }
  return { kind: 'admitted', event: { ...admitted, mark: 'late', isUnplaced: true, isReused }, after: state };
}

/** Where an event that went on stands among all of its payment, and when it went on. */
export type Position = Pick<PaymentSequence, 'order_number' | 'admitted_at_ms'>;

/**
 * Of the event that goes on next: its position is that of the record which lets it go on or, when something
 * went on there or later, right behind the last. So positions only grow, whichever worker comes again with
 * which record.
 */
export function nextPosition(last: Position, record: Position): Position {
  const isAhead = positionOf(record) > positionOf(last);
  return {
    order_number: isAhead ? record.order_number : rightBehind(last.order_number),
    admitted_at_ms: Math.max(last.admitted_at_ms, record.admitted_at_ms),
  };
}

/** The position of a record, taken by nothing: what goes on from now on comes behind it. */
export function reservedPosition(last: Position, record: Position): Position {
  return positionOf(record) > positionOf(last) ? record : last;
}
