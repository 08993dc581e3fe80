import type { Hour } from './statistics.ts';
import type { StatisticsChange } from './statistics-of-changes.ts';

/** The messages of a subscription that have not ended. */
export interface Waiting {
  readonly count: number;
  /** There are more: counting stopped at `count`. */
  readonly is_more: boolean;
  /** When the event of the oldest of them was admitted; absent if none waits. */
  readonly oldest_admitted_at?: string;
}

/** Counting stops here: beyond this the exact number makes no difference. */
export const MAX_COUNTED = 1_000;

/** Counts of messages, a few seconds old. Does not check who asks: see `owned.ts`. */
export interface Statistics {
  /** The hours since a time in which something was counted, in order. */
  hours(subscriptionId: string, since: string): Promise<readonly Hour[]>;
  waiting(subscriptionId: string): Promise<Waiting>;
}

/** How long an answer is cached. */
export const REMEMBERED_SECONDS = 10;

/** The cache is emptied at this many answers, long before it uses noticeable memory. */
const MAX_REMEMBERED = 1_000;

/** Caches statistics for ten seconds. Failures are not cached. */
export function remembered({ hours, waiting }: Statistics, now: () => number): Statistics {
  return { hours: remembering(hours, now), waiting: remembering(waiting, now) };
}

function remembering<Names extends readonly string[], Value>(
  ask: (...names: Names) => Promise<Value>,
  now: () => number,
): (...names: Names) => Promise<Value> {
  const answers = new Map<string, { readonly untilMs: number; readonly value: Promise<Value> }>();
  return (...names) => {
    const name = names.join(' ');
    const known = answers.get(name);
    if (known !== undefined && now() < known.untilMs) {
      return known.value;
    }
    if (answers.size >= MAX_REMEMBERED) {
      answers.clear();
    }
    const value = ask(...names);
    answers.set(name, { untilMs: now() + REMEMBERED_SECONDS * 1_000, value });
    value.catch(() => answers.delete(name));
    return value;
  };
}

/** Keeps the promises of the port, over fixed numbers. */
export function inMemoryStatistics(
  counted: Readonly<Record<string, readonly Hour[]>> = {},
  waiting: Readonly<Record<string, Waiting>> = {},
): Statistics {
  return {
    hours: async (id, since) => (counted[id] ?? []).filter((hour) => hour.since >= since),
    waiting: async (id) => waiting[id] ?? { count: 0, is_more: false },
  };
}

/**
 * Adds to the counts of one subscription and hour, unless they have any of it already. Then it adds nothing,
 * and answers the position up to which they have counted this shard: at least the change's first. Without a
 * shard it adds in any case.
 */
export type AddStatistics = (
  change: StatisticsChange,
  shard: string | undefined,
) => Promise<string | undefined>;
