import type { Period } from '../../core/message/statistics.ts';

/** The messages of a subscription that are not final. */
export interface Waiting {
  readonly count: number;
  /** Counting has stopped: there are more. */
  readonly is_more: boolean;
  /** When the event of the oldest of them was admitted; absent when none waits. */
  readonly oldest_admitted_at?: string;
}

/** Beyond this, how many it is makes no difference. */
export const MAX_COUNTED = 1_000;

/** What became of messages, in numbers: a few seconds old, and not exact to the last one. It does not ask who wants to know: see `owned.ts`. */
export interface Statistics {
  /** The hours from an instant on in which something was counted, in order. */
  hours(subscriptionId: string, since: string): Promise<readonly Period[]>;
  waiting(subscriptionId: string): Promise<Waiting>;
}

/** How long an answer is given again before anybody is asked. */
export const REMEMBERED_SECONDS = 10;

/** Answers of many subscriptions; all are forgotten together, long before they weigh anything. */
const MAX_REMEMBERED = 1_000;

/** Statistics that ask no more than once in ten seconds for the same; what failed is asked for again. */
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

/** Keeps the promises of the port over fixed numbers. */
export function inMemoryStatistics(
  counted: Readonly<Record<string, readonly Period[]>> = {},
  waiting: Readonly<Record<string, Waiting>> = {},
): Statistics {
  return {
    hours: async (id, since) => (counted[id] ?? []).filter((hour) => hour.since >= since),
    waiting: async (id) => waiting[id] ?? { count: 0, is_more: false },
  };
}
