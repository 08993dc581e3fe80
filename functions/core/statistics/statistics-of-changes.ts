import * as z from 'zod/mini';
import { isPing } from '../catalogue/ping-names.ts';
import { messageRecordSchema } from '../message/history.ts';
import { isFinal } from '../message/outcome.ts';
import { timeToAcknowledgeMs } from '../message/time-to-acknowledge.ts';
import {
  type Distributions,
  type Failures,
  type Figures,
  hourOf,
  IN_TIME_MS,
  NO_DISTRIBUTIONS,
  NOTHING,
  sum,
  together,
} from './statistics.ts';
import { histogramOf } from './time-histogram.ts';

/** What counting needs to know about a message's record. */
export const countedRecordSchema = z.pick(messageRecordSchema, {
  subscription_id: true,
  event_type: true,
  state: true,
  attempt_count: true,
  admitted_at: true,
  arrived_at: true,
  late: true,
  last_attempt_at: true,
  last_status_code: true,
  last_failure_class: true,
  ended_at: true,
  time_to_send_ms: true,
});
export type CountedRecord = z.infer<typeof countedRecordSchema>;

/** A record before and after a change. Undefined before: it is new. */
export interface Transition {
  readonly before: CountedRecord | undefined;
  readonly after: CountedRecord;
  /** Where its shard of the stream has it: text that sorts in the order of the shard. */
  readonly position: string;
}

/** What happened to the messages of a subscription in the hour that began then. */
export interface StatisticsChange extends Figures, Distributions {
  readonly subscription_id: string;
  readonly since: string;
  /** The positions of the first and the last change that it adds up. */
  readonly from: string;
  readonly to: string;
}

const ENDED_AS = { succeeded: 'delivered', exhausted: 'exhausted', cancelled: 'cancelled' } as const;

/**
 * What changes of records, in the order of their shard, add up to, by subscription and hour. A message counts
 * when it ends, and once more if it was asked for again and has ended again; an attempt counts when it fails;
 * a time to send counts in the hour of the first attempt; a time to acknowledge in that of the first success, unless
 * the message had ended before. Test pings do not count.
 */
export function statisticsChangesOf(transitions: readonly Transition[]): StatisticsChange[] {
  const changes = new Map<string, StatisticsChange>();
  for (const one of transitions.flatMap(counted)) {
    const name = `${one.subscription_id} ${one.since}`;
    const { subscription_id, since } = one;
    const known = changes.get(name);
    changes.set(name, {
      subscription_id,
      since,
      ...sum(known ?? NOTHING, one),
      ...together(known ?? NO_DISTRIBUTIONS, one),
      from: known?.from ?? one.from,
      to: one.to,
    });
  }
  return [...changes.values()];
}

/** What is left to add of a change once its hour has counted up to this position; undefined: nothing. */
export function uncountedOf(
  { subscription_id, since }: StatisticsChange,
  transitions: readonly Transition[],
  countedTo: string,
): StatisticsChange | undefined {
  const left = transitions.filter(
    ({ after, position }) => after.subscription_id === subscription_id && position > countedTo,
  );
  return statisticsChangesOf(left).find((one) => one.since === since);
}

function counted(transition: Transition): StatisticsChange[] {
  const { subscription_id } = transition.after;
  return isPing(transition.after)
    ? []
    : [...endOf(transition), ...failuresOf(transition), ...timeOf(transition)].map(
        ({ at, figures, ...distributions }) => ({
          subscription_id,
          since: hourOf(at),
          ...NOTHING,
          ...figures,
          ...NO_DISTRIBUTIONS,
          ...distributions,
          from: transition.position,
          to: transition.position,
        }),
      );
}

interface Happening extends Partial<Distributions> {
  readonly at: string;
  readonly figures?: Partial<Figures>;
}

function endOf({ before, after }: Transition): Happening[] {
  const { state, ended_at } = after;
  const hasEnded = isFinal(after) && !(before !== undefined && isFinal(before));
  if (!hasEnded || ended_at === undefined) {
    return [];
  }
  const figures = { [ENDED_AS[state as keyof typeof ENDED_AS]]: 1 };
  const ms = timeToAcknowledgeMs(after);
  if (ms === undefined) {
    return [{ at: ended_at, figures }];
  }
  const inTime = { acknowledged_within_60_s: ms <= IN_TIME_MS ? 1 : 0 };
  return [{ at: ended_at, figures: { ...figures, ...inTime }, acknowledged: histogramOf(ms) }];
}

/**
 * If a record gains several attempts at once, all but the last have failed: nothing follows a success by
 * itself.
 */
function failuresOf({ before, after }: Transition): Happening[] {
  const { attempt_count, last_attempt_at, last_failure_class } = after;
  const added = attempt_count - (before?.attempt_count ?? 0);
  const failed = last_failure_class === undefined ? added - 1 : added;
  return failed > 0 && last_attempt_at !== undefined
    ? [{ at: last_attempt_at, figures: { failed_attempts: failed }, failures: reasonsOf(failed, after) }]
    : [];
}

function reasonsOf(failed: number, { last_failure_class, last_status_code }: CountedRecord): Failures {
  const last = last_failure_class === 'http_status' ? String(last_status_code) : last_failure_class;
  const unknown = last === undefined ? failed : failed - 1;
  return { ...(last === undefined ? {} : { [last]: 1 }), ...(unknown > 0 ? { unknown } : {}) };
}

/** It is known with the first attempt, and never changes. */
function timeOf({ before, after }: Transition): Happening[] {
  const { time_to_send_ms, last_attempt_at } = after;
  return time_to_send_ms !== undefined &&
    before?.time_to_send_ms === undefined &&
    last_attempt_at !== undefined
    ? [{ at: last_attempt_at, times: histogramOf(time_to_send_ms) }]
    : [];
}
