import type { Troubled } from './sentences.ts';

/** What the API answers about the queues of the stage. */
export interface Queue {
  readonly runbook: string;
  readonly waiting: number;
  readonly oldest_seconds?: number;
}

export interface Queues {
  readonly work: readonly Queue[];
  readonly dead_letters: readonly Queue[];
  readonly oldest_due_seconds: number;
  readonly stuck_payments: number;
  readonly messages_behind_circuits: number;
}

/** What was read at one time. */
export interface Reading {
  readonly atMs: number;
  readonly totals: readonly number[];
}

const MINUTE_MS = 60_000;
/** A change over less says little. */
const OVER_MINUTES = 10;

/** Endpoints in trouble, messages that wait for them, messages to deliver, stuck payments, dead letters. */
export function totalsOf(
  { work, dead_letters, stuck_payments }: Queues,
  { endpoints, more }: Pick<Troubled, 'endpoints' | 'more'>,
): readonly number[] {
  const sum = (queues: readonly { readonly waiting: number }[]) =>
    queues.reduce((all, { waiting }) => all + waiting, 0);
  return [endpoints.length + more, sum(endpoints), sum(work), stuck_payments, sum(dead_letters)];
}

/**
 * What to compare with: the latest reading that is ten minutes old, or the first there is.
 *
 * @returns `kept`: the readings to remember, one for each minute. `since`: undefined within the first minute
 */
export function trendOf(readings: readonly Reading[], totals: readonly number[], nowMs: number) {
  const latest = readings.at(-1);
  const isNew = latest === undefined || nowMs - latest.atMs >= MINUTE_MS;
  const known = isNew ? [...readings, { atMs: nowMs, totals }] : readings;
  const old = known.findLastIndex(({ atMs }) => nowMs - atMs >= OVER_MINUTES * MINUTE_MS);
  const kept = known.slice(Math.max(0, old));
  const [first] = kept;
  const minutes = first === undefined ? 0 : Math.floor((nowMs - first.atMs) / MINUTE_MS);
  return {
    kept,
    since: first === undefined || minutes === 0 ? undefined : { totals: first.totals, minutes },
  };
}
