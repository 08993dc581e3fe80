import { shortNames } from '../../functions/core/catalogue/short-names.ts';
import type {
  MessageTimeline,
  PaymentTimeline,
  TimelineEntry,
  WaitsFor,
} from '../../functions/core/timeline/timeline-view.ts';
import { queryOf } from '../app/route.ts';
import { TEXT } from '../texts.ts';
import type { Sentence } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';

export type Entry = TimelineEntry;

/** What is shown of a message in the timeline of its payment. */
export type Course = Pick<
  MessageTimeline,
  | 'message_id'
  | 'subscription_id'
  | 'event_type'
  | 'state'
  | 'late'
  | 'attempt_count'
  | 'entries'
  | 'attempts_left_out'
  | 'waits_for'
>;

/** What is shown of a payment: of the answer of `GET /v1/payments/{payment_id}`. */
export interface Timeline extends Pick<PaymentTimeline, 'payment_id' | 'sequence' | 'next_cursor'> {
  /** Newest first. */
  readonly messages: readonly Course[];
}

/** @param cursor of a page that is not the first */
export function paymentPath(id: string, cursor?: string): string {
  return `/payments/${encodeURIComponent(id)}${queryOf({ limit: '50', cursor })}`;
}

/** What happened between two instants, in ms since 1970. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Row extends Span {
  readonly course: Course;
  /** Its event type, short enough to stand beside it. */
  readonly name: string;
  readonly waits: readonly Span[];
  readonly attempts: readonly { readonly atMs: number; readonly isGood: boolean }[];
  /** The same of the message behind which it waits. */
  readonly behind: string | undefined;
  /** It has not ended: the row continues to now. */
  readonly isOpen: boolean;
}

/** The messages of one subscription, oldest first. */
export interface Lane {
  readonly subscriptionId: string;
  readonly rows: readonly Row[];
}

/** @param nowMs what waits still waits until then */
export function lanesOf({ messages }: Pick<Timeline, 'messages'>, nowMs: number): readonly Lane[] {
  const short = shortNames(messages.map(({ event_type }) => event_type));
  const nameOf = ({ event_type }: Course) => cut(visible(short(event_type)));
  return bySubscription(messages).map(([subscriptionId, courses]) => ({
    subscriptionId,
    rows: courses.map((course) => rowOf(course, { messages, nowMs, nameOf })),
  }));
}

/**
 * The messages of each subscription, oldest first. First comes the subscription where something is left to do:
 * what still fails or waits, then what was given up.
 */
export function bySubscription(
  messages: readonly Course[],
): readonly (readonly [subscriptionId: string, courses: readonly Course[]])[] {
  const groups = Map.groupBy(messages.toReversed(), ({ subscription_id }) => subscription_id);
  const rankOf = (courses: readonly Course[]) =>
    Math.min(...courses.map(({ state }) => TROUBLE.indexOf(state)));
  return [...groups].sort(([, one], [, other]) => rankOf(one) - rankOf(other));
}

const TROUBLE: readonly Course['state'][] = ['retrying', 'parked', 'exhausted', 'cancelled', 'succeeded'];

/** Characters that have room beside a row. */
const LONGEST_NAME = 26;

const cut = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name);

interface Drawing {
  readonly messages: readonly Course[];
  readonly nowMs: number;
  readonly nameOf: (course: Course) => string;
}

function rowOf(course: Course, { messages, nowMs, nameOf }: Drawing): Row {
  const { entries, state } = course;
  const isOpen = state === 'retrying' || state === 'parked';
  const times = entries.map(({ at }) => Date.parse(at));
  const lastMs = Math.max(...times);
  const head = headOf(course, messages);
  return {
    course,
    name: nameOf(course),
    fromMs: Math.min(...times),
    // What was read may be newer than the viewer's clock.
    toMs: isOpen ? Math.max(nowMs, lastMs) : lastMs,
    isOpen,
    behind: head && nameOf(head),
    waits: entries
      .filter(({ kind }) => kind === 'arrived' || kind === 'held')
      .map(({ at, until }) => ({
        fromMs: Date.parse(at),
        toMs: until === undefined ? nowMs : Date.parse(until),
      })),
    attempts: entries
      .filter(({ kind }) => kind === 'attempted')
      .map(({ at, failure_class }) => ({ atMs: Date.parse(at), isGood: failure_class === undefined })),
  };
}

/** Gaps up to this are drawn about as they are, longer ones ever shorter. */
const SHORT_GAP_MS = 100;

/**
 * A scale on which both milliseconds and hours can be told apart: the instants in order, with 0 for the
 * first, 1 for the last, and gaps between by their logarithm.
 */
export function compressed(lanes: readonly Lane[]): {
  readonly instants: number[];
  readonly places: number[];
} {
  const all = lanes.flatMap(({ rows }) =>
    rows.flatMap(({ fromMs, toMs, waits, attempts }) => [
      fromMs,
      toMs,
      ...waits.flatMap((wait) => [wait.fromMs, wait.toMs]),
      ...attempts.map(({ atMs }) => atMs),
    ]),
  );
  const instants = [...new Set(all)].sort((a, b) => a - b);
  let sum = 0;
  const sums = instants.map((instant, index) => {
    sum += index === 0 ? 0 : Math.log1p((instant - (instants[index - 1] ?? instant)) / SHORT_GAP_MS);
    return sum;
  });
  return { instants, places: sums.map((place) => (sum === 0 ? 0 : place / sum)) };
}

/**
 * What a message waits for now, in words; undefined when it has ended.
 *
 * @param messages among which the one is that it may wait behind
 */
export function waitOf(
  { waits_for }: Pick<Course, 'waits_for'>,
  messages: readonly Course[],
): Sentence | undefined {
  if (waits_for === undefined) return undefined;
  const { reason, until } = waits_for;
  const head = headOf({ waits_for }, messages);
  const why =
    reason === 'next_attempt'
      ? [TEXT.fate.retrying]
      : head === undefined
        ? [TEXT.stateReason[reason]]
        : [
            TEXT.fate.behind,
            { to: { screen: 'message' as const, id: head.message_id }, text: head.event_type },
            '.',
          ];
  return [...why, ...(until === undefined ? [] : [nextOf(reason, head), { away: until }, '.'])];
}

/** What is due next. While an endpoint fails, that is a probe, which need not be of this payment. */
function nextOf(reason: WaitsFor['reason'], head: Course | undefined): string {
  if ((head?.waits_for?.reason ?? reason) === 'circuit_open') return TEXT.fate.nextOfAny;
  return head === undefined ? TEXT.health.nextTry : TEXT.fate.nextOfThat;
}

/** The message behind which one waits. */
function headOf({ waits_for }: Pick<Course, 'waits_for'>, messages: readonly Course[]): Course | undefined {
  return messages.find(({ message_id }) => message_id === waits_for?.message_id);
}
