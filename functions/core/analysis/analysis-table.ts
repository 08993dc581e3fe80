import type { MessageSummary } from '../message/message-view.ts';
import type { Figures } from '../statistics/statistics.ts';
import { allTimes, percentileOf } from '../statistics/time-histogram.ts';
import { type CountedRow, dateIn } from './counted-row.ts';
import { RETRY_USD } from './list-prices.ts';

/** What analysts ask. The last is answered from messages, the others from counts. */
export const QUESTIONS = ['failures', 'acknowledgement', 'volume', 'retries', 'not-acknowledged'] as const;
export type Question = (typeof QUESTIONS)[number];

export const DIMENSIONS = [
  'service',
  'subscription',
  'reason',
  'status',
  'type',
  'day',
  'hour',
  'message',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/**
 * What each question can be grouped by: counts know no event types, and only failures have a reason. By
 * message, it is a list of them.
 */
export const GROUPS: Readonly<Record<Question, readonly Dimension[]>> = {
  failures: ['service', 'subscription', 'reason', 'status', 'day', 'hour'],
  acknowledgement: ['service', 'subscription', 'day', 'hour'],
  volume: ['service', 'subscription', 'day', 'hour'],
  retries: ['service', 'subscription', 'day', 'hour'],
  'not-acknowledged': DIMENSIONS,
};

export type Cell = string | number;

/** Its cells are plain values: times in ms, shares from 0 to 1; an empty text where there is none. */
export interface AnalysisTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Of all rows together, behind an empty cell for each group. */
  readonly totals: readonly Cell[];
}

/** A message that no 2xx has acknowledged, and whose it is. */
export type Unacknowledged = Pick<CountedRow, 'service_id'> &
  Pick<
    MessageSummary,
    | 'message_id'
    | 'payment_id'
    | 'subscription_id'
    | 'event_type'
    | 'state'
    | 'admitted_at'
    | 'last_failure_class'
    | 'last_status_code'
  >;

/** Values that are asked for alone. */
export type Only = Readonly<Partial<Record<Dimension, string>>>;

/** What is counted, and what of it may be grouped by. */
interface Counted<Count> {
  readonly of: Dimensioned;
  readonly count: Count;
}

interface Measures<Count> {
  readonly columns: readonly string[];
  readonly measure: (counts: readonly Count[]) => readonly Cell[];
}

/**
 * Answers a question from counts. Groups by time are in order, others by the first measure, the largest first.
 *
 * @param by one or two of `GROUPS[question]`, none for the totals alone
 * @param only of these alone, as far as the question knows them
 */
export function tableOfCounts(
  question: Exclude<Question, 'not-acknowledged'>,
  rows: readonly CountedRow[],
  by: readonly Dimension[],
  only: Only = {},
): AnalysisTable {
  const counted =
    question !== 'failures'
      ? rows.map((row) => ({ of: row, count: row }))
      : rows.flatMap((row) =>
          Object.entries(row.failures).map(([reason, failed_attempts]) => ({
            of: { ...row, ...reasonOf(reason) },
            count: { ...row, failed_attempts },
          })),
        );
  const known = Object.entries(only).filter(([name]) => GROUPS[question].includes(name as Dimension));
  return grouped(by, counted, MEASURES[question], Object.fromEntries(known));
}

/** Answers what was not acknowledged. @param timeZone in which days begin */
export function tableOfMessages(
  messages: readonly Unacknowledged[],
  by: readonly Dimension[],
  timeZone: string,
  only: Only = {},
): AnalysisTable {
  const dateOf = dateIn(timeZone);
  const counted = messages.map((message) => {
    const { admitted_at, last_failure_class = 'not attempted', last_status_code = '' } = message;
    const told = { reason: last_failure_class, status: String(last_status_code), type: message.event_type };
    const since = by.includes('day') ? dateOf(admitted_at) : `${admitted_at.slice(0, 13)}:00:00.000Z`;
    return { of: { ...message, ...told, since }, count: message };
  });
  return by.includes('message') ? listed(counted, only) : grouped(by, counted, UNACKNOWLEDGED, only);
}

const sumsOf = (...columns: readonly (keyof Figures)[]): Measures<CountedRow> => ({
  columns,
  measure: (rows) => columns.map((name) => total(rows.map((row) => row[name]))),
});

const MEASURES: Readonly<Record<Exclude<Question, 'not-acknowledged'>, Measures<CountedRow>>> = {
  failures: sumsOf('failed_attempts'),
  acknowledgement: {
    columns: ['acknowledged', 'within_60_s', 'p50_ms', 'p95_ms'],
    measure(rows) {
      const times = allTimes(rows.map(({ acknowledged }) => acknowledged));
      const count = total(Object.values(times));
      const inTime = total(rows.map((row) => row.acknowledged_within_60_s));
      const percentiles = [0.5, 0.95].map((part) => percentileOf(times, part) ?? '');
      return [count, count === 0 ? '' : roundedDown(inTime / count), ...percentiles];
    },
  },
  volume: sumsOf('delivered', 'failed_attempts', 'exhausted', 'cancelled'),
  retries: {
    columns: ['failed_attempts', 'delivered', 'failed_per_delivered', 'retries_usd'],
    measure(rows) {
      const [failed = 0, delivered = 0] = RETRIED.measure(rows).map(Number);
      const each = delivered === 0 ? '' : Number((failed / delivered).toFixed(3));
      return [failed, delivered, each, Number((failed * RETRY_USD).toPrecision(3))];
    },
  },
};
const RETRIED = sumsOf('failed_attempts', 'delivered');

const inStates = (messages: readonly Unacknowledged[], ...states: readonly string[]) =>
  messages.filter(({ state }) => states.includes(state)).length;

const UNACKNOWLEDGED: Measures<Unacknowledged> = {
  columns: ['messages', 'waiting', 'exhausted', 'cancelled', 'oldest_admitted_at'],
  measure: (messages) => [
    messages.length,
    inStates(messages, 'retrying', 'parked'),
    inStates(messages, 'exhausted'),
    inStates(messages, 'cancelled'),
    messages.reduce((oldest, { admitted_at: at }) => (oldest !== '' && oldest < at ? oldest : at), ''),
  ],
};

interface Dimensioned extends Pick<CountedRow, 'service_id' | 'subscription_id' | 'since'> {
  readonly reason?: string;
  readonly status?: string;
  readonly type?: string;
}

function cellOf(dimension: Dimension, row: Dimensioned): string {
  switch (dimension) {
    case 'service':
      return row.service_id;
    case 'subscription':
      return row.subscription_id;
    case 'day':
    case 'hour':
      return row.since;
    case 'message':
      return '';
    default:
      return row[dimension] ?? '';
  }
}

/** Status codes are counted as reasons of their own. */
function reasonOf(counted: string): { readonly reason: string; readonly status: string } {
  return /^\d+$/.test(counted) ? { reason: 'http_status', status: counted } : { reason: counted, status: '' };
}

function wanted<Count>(counted: readonly Counted<Count>[], only: Only): readonly Counted<Count>[] {
  const values = Object.entries(only).filter(([, value]) => value !== '') as [Dimension, string][];
  return counted.filter(({ of }) => values.every(([name, value]) => cellOf(name, of) === value));
}

function grouped<Count>(
  by: readonly Dimension[],
  all: readonly Counted<Count>[],
  { columns, measure }: Measures<Count>,
  only: Only,
): AnalysisTable {
  const counted = wanted(all, only);
  const groups = Map.groupBy(counted, ({ of }) => JSON.stringify(by.map((one) => cellOf(one, of))));
  const measured = (of: readonly Counted<Count>[]) => measure(of.map(({ count }) => count));
  const rows = [...groups].map(([group, of]) => [...JSON.parse(group), ...measured(of)]);
  return {
    columns: [...by, ...columns],
    rows: by.length === 0 ? [] : rows.sort(inOrder(by)),
    totals: [...by.map(() => ''), ...measured(counted)],
  };
}

/** Messages one by one, the oldest first. */
function listed(all: readonly Counted<Unacknowledged>[], only: Only): AnalysisTable {
  const rows = wanted(all, only).map(({ of, count }) => [
    count.message_id,
    count.admitted_at,
    count.service_id,
    count.subscription_id,
    count.payment_id,
    count.event_type,
    count.state,
    of.reason ?? '',
    of.status ?? '',
  ]);
  const columns = ['message', 'admitted_at', 'service', 'subscription', 'payment', 'type', 'state'];
  return {
    columns: [...columns, 'reason', 'status'],
    rows: rows.sort(([, one = ''], [, other = '']) => one.localeCompare(other)),
    totals: [`${rows.length} messages`, ...Array.from({ length: columns.length + 1 }, () => '')],
  };
}

function inOrder(by: readonly Dimension[]) {
  const isOfTime = by[0] === 'day' || by[0] === 'hour';
  const first = by.length;
  return (one: readonly Cell[], other: readonly Cell[]): number =>
    (isOfTime ? 0 : Number(other[first]) - Number(one[first])) ||
    String(one.slice(0, first)).localeCompare(String(other.slice(0, first)));
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function roundedDown(share: number): number {
  return Math.floor(share * 10_000) / 10_000;
}
