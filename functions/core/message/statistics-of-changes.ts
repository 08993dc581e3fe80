import * as z from 'zod/mini';
import { isFinal } from '../attempt/outcome.ts';
import { messageRecordSchema } from './history.ts';
import { isPing } from './ping.ts';
import { type Figures, hourOf, NOTHING, sum } from './statistics.ts';

/** What counting needs to know about a message's record. */
export const countedRecordSchema = z.pick(messageRecordSchema, {
  subscription_id: true,
  event_type: true,
  state: true,
  attempt_count: true,
  last_attempt_at: true,
  last_failure_class: true,
  ended_at: true,
});
export type CountedRecord = z.infer<typeof countedRecordSchema>;

/** A record before and after a change. Undefined before: it is new. */
export interface Transition {
  readonly before: CountedRecord | undefined;
  readonly after: CountedRecord;
}

/** What happened to the messages of a subscription in the hour that began then. */
export interface StatisticsChange extends Figures {
  readonly subscription_id: string;
  readonly since: string;
}

const ENDED_AS = { succeeded: 'delivered', exhausted: 'exhausted', cancelled: 'cancelled' } as const;

/**
 * What changes of records add up to, by subscription and hour. A message counts when it ends, and once more
 * if it was asked for again and has ended again; an attempt counts when it fails. Test pings do not count.
 */
export function statisticsChangesOf(transitions: readonly Transition[]): StatisticsChange[] {
  const changes = new Map<string, StatisticsChange>();
  for (const one of transitions.flatMap(counted)) {
    const name = `${one.subscription_id} ${one.since}`;
    const { subscription_id, since, ...figures } = one;
    changes.set(name, { subscription_id, since, ...sum(changes.get(name) ?? NOTHING, figures) });
  }
  return [...changes.values()];
}

function counted(transition: Transition): StatisticsChange[] {
  const { subscription_id } = transition.after;
  return isPing(transition.after)
    ? []
    : [...endOf(transition), ...failuresOf(transition)].map(({ at, figures }) => ({
        subscription_id,
        since: hourOf(at),
        ...NOTHING,
        ...figures,
      }));
}

interface Happening {
  readonly at: string;
  readonly figures: Partial<Figures>;
}

function endOf({ before, after }: Transition): Happening[] {
  const { state, ended_at } = after;
  const hasEnded = isFinal(after) && !(before !== undefined && isFinal(before));
  return hasEnded && ended_at !== undefined
    ? [{ at: ended_at, figures: { [ENDED_AS[state as keyof typeof ENDED_AS]]: 1 } }]
    : [];
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
    ? [{ at: last_attempt_at, figures: { failed_attempts: failed } }]
    : [];
}
