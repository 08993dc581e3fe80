import type { MessageSummary } from '../message/message-view.ts';
import { mergedTimes, NO_TIMES, percentileOf, type TimeHistogram } from '../statistics/time-histogram.ts';
import { type CountedRow, dateIn } from './counted-row.ts';

/** What analysts ask. The first three are answered from counts, the last from messages. */
export const QUESTIONS = ['failures', 'acknowledgement', 'volume', 'not-acknowledged'] as const;
export type Question = (typeof QUESTIONS)[number];

export const DIMENSIONS = ['service', 'subscription', 'reason', 'status', 'type', 'day', 'hour'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What each question can be grouped by: counts know no event types, and only failures have a reason. */
export const GROUPS: Readonly<Record<Question, readonly Dimension[]>> = {
  failures: ['service', 'subscription', 'reason', 'status', 'day', 'hour'],
  acknowledgement: ['service', 'subscription', 'day', 'hour'],
  volume: ['service', 'subscription', 'day', 'hour'],
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
    'subscription_id' | 'event_type' | 'state' | 'admitted_at' | 'last_failure_class' | 'last_status_code'
  >;

/** One value for each dimension that was asked for, and what it counts. */
interface Counted<Count> {
  readonly group: readonly string[];
  readonly count: Count;
}

type Measures<Count> = Readonly<Record<string, (counts: readonly Count[]) => Cell>>;

/**
 * Answers a question from counts. Groups by time are in order, others by the first measure, the largest first.
 *
 * @param by one or two of `GROUPS[question]`, none for the totals alone
 */
export function tableOfCounts(
  question: Exclude<Question, 'not-acknowledged'>,
  rows: readonly CountedRow[],
  by: readonly Dimension[],
): AnalysisTable {
  switch (question) {
    case 'failures': {
      const failures = rows.flatMap((row) =>
        Object.entries(row.failures).map(([reason, failed]) => ({
          group: by.map((one) => cellOf(one, { ...row, ...reasonOf(reason) })),
          count: failed,
        })),
      );
      return grouped(by, failures, { failed_attempts: total });
    }
    case 'acknowledgement': {
      const acknowledged = rows.map((row) => ({ group: by.map((one) => cellOf(one, row)), count: row }));
      return grouped(by, acknowledged, ACKNOWLEDGEMENT);
    }
    case 'volume': {
      const counted = rows.map((row) => ({ group: by.map((one) => cellOf(one, row)), count: row }));
      return grouped(by, counted, VOLUME);
    }
  }
}

/** Answers what was not acknowledged. @param timeZone in which days begin */
export function tableOfMessages(
  messages: readonly Unacknowledged[],
  by: readonly Dimension[],
  timeZone: string,
): AnalysisTable {
  const dateOf = dateIn(timeZone);
  const counted = messages.map((message) => {
    const { admitted_at, last_failure_class = 'not attempted', last_status_code = '' } = message;
    const told = { reason: last_failure_class, status: String(last_status_code), type: message.event_type };
    const since = by.includes('day') ? dateOf(admitted_at) : `${admitted_at.slice(0, 13)}:00:00.000Z`;
    return { group: by.map((one) => cellOf(one, { ...message, ...told, since })), count: message };
  });
  return grouped(by, counted, UNACKNOWLEDGED);
}

const ACKNOWLEDGEMENT: Measures<CountedRow> = {
  acknowledged: (rows) => timesIn(all(rows)),
  within_60_s: (rows) => {
    const count = timesIn(all(rows));
    return count === 0 ? '' : rounded(total(rows.map((row) => row.acknowledged_within_60_s)) / count);
  },
  p50_ms: (rows) => percentileOf(all(rows), 0.5) ?? '',
  p95_ms: (rows) => percentileOf(all(rows), 0.95) ?? '',
};

const VOLUME: Measures<CountedRow> = {
  delivered: (rows) => total(rows.map((row) => row.delivered)),
  failed_attempts: (rows) => total(rows.map((row) => row.failed_attempts)),
  exhausted: (rows) => total(rows.map((row) => row.exhausted)),
  cancelled: (rows) => total(rows.map((row) => row.cancelled)),
};

const inStates =
  (...states: readonly string[]) =>
  (messages: readonly Unacknowledged[]) =>
    messages.filter(({ state }) => states.includes(state)).length;

const UNACKNOWLEDGED: Measures<Unacknowledged> = {
  messages: (messages) => messages.length,
  waiting: inStates('retrying', 'parked'),
  exhausted: inStates('exhausted'),
  cancelled: inStates('cancelled'),
  oldest_admitted_at: (messages) => messages.map(({ admitted_at }) => admitted_at).sort()[0] ?? '',
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
    default:
      return row[dimension] ?? '';
  }
}

/** Status codes are counted as reasons of their own. */
function reasonOf(counted: string): { readonly reason: string; readonly status: string } {
  return /^\d+$/.test(counted) ? { reason: 'http_status', status: counted } : { reason: counted, status: '' };
}

function grouped<Count>(
  by: readonly Dimension[],
  counted: readonly Counted<Count>[],
  measures: Measures<Count>,
): AnalysisTable {
  const groups = Map.groupBy(counted, ({ group }) => JSON.stringify(group));
  const measured = (of: readonly Counted<Count>[]) =>
    Object.values(measures).map((measure) => measure(of.map(({ count }) => count)));
  const rows = [...groups.values()].map((of) => [...of[0]!.group, ...measured(of)]);
  return {
    columns: [...by, ...Object.keys(measures)],
    rows: by.length === 0 ? [] : rows.sort(inOrder(by)),
    totals: [...by.map(() => ''), ...measured(counted)],
  };
}

function inOrder(by: readonly Dimension[]) {
  const isOfTime = by[0] === 'day' || by[0] === 'hour';
  const first = by.length;
  return (one: readonly Cell[], other: readonly Cell[]): number =>
    (isOfTime ? 0 : Number(other[first]) - Number(one[first])) ||
    String(one.slice(0, first)).localeCompare(String(other.slice(0, first)));
}

function all(rows: readonly CountedRow[]): TimeHistogram {
  return rows.reduce((times, row) => mergedTimes(times, row.acknowledged), NO_TIMES);
}

function timesIn(times: TimeHistogram): number {
  return total(Object.values(times));
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function rounded(share: number): number {
  return Math.floor(share * 10_000) / 10_000;
}
