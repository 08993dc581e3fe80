import type { Spread } from '../aws/metering/latencies.ts';
import type { Cell } from './cell.ts';
import type { Endpoint } from './partners/endpoints.ts';
import { outcomeOf, type RunOutcome } from './report/outcome-of-run.ts';

/** Whether a promise was kept, and the numbers that say so. */
export interface Decision {
  readonly promise: string;
  readonly kept: boolean;
  readonly because: string;
}

export interface Result {
  readonly runs: readonly RunOutcome[];
  readonly verdicts: readonly Decision[];
  /** What is worth knowing besides, a sentence each. */
  readonly remarks: readonly string[];
}

export interface Scenario {
  readonly name: string;
  /** One sentence. */
  readonly shows: string;
  /** @param size 1 for the whole; less makes it smaller in proportion, more larger */
  run(size: number, tell: (backlog: string) => void): Promise<Result>;
}

/** A partner who is well. */
export const WELL: Spread = { p50: 200, p99: 1_000 };
/** One who takes the message, and longer than what counts as slow. */
export const SLOW: Spread = { p50: 4_500, p99: 7_000 };
/** One that never answers. */
export const DEAD: Endpoint = { kind: 'dead', untilMs: Number.POSITIVE_INFINITY, takes: WELL };

/** A second more than that: a partner who is well must not notice that another one is not. */
const UNCHANGED = 1.2;

/** Does something with a cell, and says what came of it. */
export async function run(
  name: string,
  cell: Cell,
  tell: (backlog: string) => void,
  act: () => Promise<void>,
): Promise<RunOutcome> {
  tell(`${name} …`);
  const startedAt = performance.now();
  await act();
  const outcome = outcomeOf(name, cell, (performance.now() - startedAt) / 1_000);
  tell(`${name}: ${outcome.virtual_seconds} s simulated in ${outcome.wall_seconds} s`);
  return outcome;
}

/** Promises that hold whatever happens: order, nothing lost, no fault of ours. */
export function always(cell: Cell, backlog = 0): Decision[] {
  const { endpoints, observations, surface } = cell;
  const published = [...observations.byGroup.values()].reduce((sum, one) => sum + one.published, backlog);
  return [
    {
      promise: 'each payment in order',
      kept: endpoints.outOfOrder.length === 0,
      because: endpoints.outOfOrder[0] ?? 'nothing came before its turn',
    },
    {
      promise: 'nothing is lost',
      kept: surface.history.records.size === published,
      because: `${surface.history.records.size} of ${published} messages are on record`,
    },
    {
      promise: 'no fault of ours',
      kept: observations.faults.length === 0,
      because: observations.faults[0] ?? 'none',
    },
  ];
}

/** Of fewer messages the 99th percentile says nothing. */
const MANY = 1_000;

/** The healthy do not notice the others. */
export function unchanged(control: RunOutcome, outcome: RunOutcome): Decision {
  const [before, after] = [control, outcome].map(({ groups }) => groups.healthy?.time_to_send?.p99 ?? 0);
  const attempts = Math.min(...[control, outcome].map(({ groups }) => groups.healthy?.attempts ?? 0));
  return notMuchLater(`p99 of the healthy`, { times: UNCHANGED, attempts, usualMs: before!, ms: after! });
}

/** Whether a 99th percentile is within so many times the usual one. */
export function notMuchLater(
  what: string,
  {
    times,
    attempts,
    usualMs,
    ms,
  }: { readonly times: number; readonly attempts: number; readonly usualMs: number; readonly ms: number },
): Decision {
  const isTold = attempts >= MANY;
  const because = `${usualMs} ms when all are well, ${ms} ms now`;
  return {
    promise: `${what} within ${times} times`,
    kept: !isTold || ms <= times * usualMs,
    because: isTold ? because : `${because}, of only ${attempts} messages: that says nothing`,
  };
}

export function allDelivered(outcome: RunOutcome, group: string, backlog = 0): Decision {
  const { published = 0, delivered = 0 } = outcome.groups[group] ?? {};
  const wanted = published + backlog;
  return {
    promise: `all is delivered to the ${group}`,
    kept: delivered === wanted,
    because: `${delivered} of ${wanted}`,
  };
}
