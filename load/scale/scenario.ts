import type { Spread } from '../../test/simulation/aws/metering/latencies.ts';
import type { Cell } from './cell.ts';
import type { Endpoint } from './partners/endpoints.ts';
import { outcomeOf, type RunOutcome } from './report/outcome-of-run.ts';

/** Whether a promise was kept, and the numbers that say so. */
export interface Verdict {
  readonly promise: string;
  readonly kept: boolean;
  readonly because: string;
}

export interface Result {
  readonly runs: readonly RunOutcome[];
  readonly verdicts: readonly Verdict[];
  /** Further observations, a sentence each. */
  readonly remarks: readonly string[];
}

export interface Scenario {
  readonly name: string;
  /** One sentence. */
  readonly shows: string;
  /** @param size scales the scenario: 1 is its full size */
  run(size: number, tell: (text: string) => void): Promise<Result>;
}

/** A healthy endpoint. */
export const WELL: Spread = { p50: 200, p99: 1_000 };
/** Takes the message, but longer than what counts as slow. */
export const SLOW: Endpoint = { kind: 'answering', takes: { p50: 4_500, p99: 7_000 } };
export const HEALTHY: Endpoint = { kind: 'answering', takes: WELL };
/** Never responds. */
export const DEAD = {
  kind: 'dead',
  untilMs: Number.POSITIVE_INFINITY,
  takes: WELL,
} as const satisfies Endpoint;

/** The largest ratio of p99 with and without unhealthy endpoints: healthy ones must not notice them. */
const UNCHANGED = 1.2;

/** Runs a cell, and measures it. */
export async function run(
  name: string,
  cell: Cell,
  tell: (text: string) => void,
  act: (cell: Cell) => Promise<void>,
): Promise<RunOutcome> {
  tell(`${name} …`);
  const startedAt = performance.now();
  await act(cell);
  const outcome = outcomeOf(name, cell, (performance.now() - startedAt) / 1_000);
  tell(`${name}: ${outcome.virtual_seconds} s simulated in ${outcome.wall_seconds} s`);
  return outcome;
}

/** Promises of every run: order, nothing lost, no internal error. */
export function always(cell: Cell, backlog = 0): Verdict[] {
  const { endpoints, observations, surface } = cell;
  const published = [...observations.byGroup.values()].reduce((sum, one) => sum + one.published, backlog);
  return [
    {
      promise: 'each payment in order',
      kept: endpoints.outOfOrder.length === 0,
      because: endpoints.outOfOrder[0] ?? 'nothing came out of turn',
    },
    {
      promise: 'nothing is lost',
      kept: surface.history.records.size === published,
      because: `${surface.history.records.size} of ${published} messages are on record`,
    },
    {
      promise: 'no internal error',
      kept: observations.faults.length === 0,
      because: observations.faults[0] ?? 'none',
    },
  ];
}

/** With fewer messages, the 99th percentile means nothing. */
const MANY = 1_000;

/** Healthy endpoints do not notice the others. */
export function unchanged(control: RunOutcome, outcome: RunOutcome): Verdict {
  const [before, after] = [control, outcome].map(({ groups }) => groups.healthy?.time_to_send?.p99 ?? 0);
  const attempts = Math.min(...[control, outcome].map(({ groups }) => groups.healthy?.attempts ?? 0));
  return notMuchLater(`p99 of healthy endpoints`, {
    times: UNCHANGED,
    attempts,
    usualMs: before!,
    ms: after!,
  });
}

/** Whether a 99th percentile is within a multiple of the usual one. */
export function notMuchLater(
  what: string,
  {
    times,
    attempts,
    usualMs,
    ms,
  }: { readonly times: number; readonly attempts: number; readonly usualMs: number; readonly ms: number },
): Verdict {
  const isTold = attempts >= MANY;
  const because = `${usualMs} ms when all are healthy, ${ms} ms now`;
  return {
    promise: `${what} within ${times} times`,
    kept: !isTold || ms <= times * usualMs,
    because: isTold ? because : `${because}, of only ${attempts} messages; too few to judge`,
  };
}

/** The verdicts of one of several runs. */
export function named(name: string, verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.map((verdict) => ({ ...verdict, promise: `${name}: ${verdict.promise}` }));
}

export function allDelivered(outcome: RunOutcome, group: string, backlog = 0): Verdict {
  const { published = 0, delivered = 0 } = outcome.groups[group] ?? {};
  const wanted = published + backlog;
  return {
    promise: `all is delivered to the ${group}`,
    kept: delivered === wanted,
    because: `${delivered} of ${wanted}`,
  };
}
