import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { OUTCOMES } from '../../results/outcome.ts';

/** The scenarios in reading order; those with a partner in trouble last. */
export const ORDER = [
  'call-count',
  'simple',
  'varying-receiver',
  'slow-receiver',
  'hanging-neighbour',
  'outage-recovery',
  'dead-partner',
  'partial-refusal',
  'steady-latency',
  'flapping',
  'hanging-share',
  'random-failures',
  'backpressure',
  'burst',
  'sustained',
  'throughput',
  'flood',
  'slow-store',
  'matrix',
];

const QUICK: Readonly<Record<string, readonly string[]>> = {
  'hanging-neighbour': ['--baseline', '10'],
  'outage-recovery': ['--baseline', '5', '--outage-after', '3', '--outage-seconds', '5'],
  'dead-partner': ['--baseline', '5'],
  'partial-refusal': ['--outage-seconds', '4'],
  'steady-latency': ['--outage-seconds', '4'],
  'hanging-share': ['--baseline', '5'],
  backpressure: ['--baseline', '5'],
  throughput: ['--concurrency', '50,200'],
  'slow-store': ['--store-delay-ms', '0,15'],
  matrix: ['--body-bytes', '1024', '--delay-ms', '0,500', '--concurrency', '20,100'],
};

/** Options that shorten a scenario to seconds, to check that it works; the numbers mean little. */
export function quickOptions(scenario: string): readonly string[] {
  return ['--duration', '8', '--warm-up', '3', ...(QUICK[scenario] ?? [])];
}

const doneSchema = z.object({
  scenario: z.string(),
  /** Absent when it could not run. */
  run_id: z.string().optional(),
  outcome: z.enum(OUTCOMES),
  /** Why it could not run, failed or is void. */
  fault: z.string().optional(),
});
export type Done = z.infer<typeof doneSchema>;

const stateSchema = z.object({
  plan: z.object({ stage: z.string(), repeat: z.int(), quick: z.boolean() }),
  done: z.array(doneSchema),
  is_finished: z.boolean(),
});
type AllPlan = z.infer<typeof stateSchema>['plan'];

/**
 * The progress of `all`, stored so that an interrupted run continues. A finished run, or one with other
 * options, starts over.
 */
export async function allState(runs: string, plan: AllPlan) {
  const file = join(runs, 'all.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const known = text === undefined ? undefined : stateSchema.safeParse(JSON.parse(text)).data;
  const isSame = known !== undefined && !known.is_finished && isDeepStrictEqual(known.plan, plan);
  const done: Done[] = isSame ? known.done : [];
  const keep = (is_finished: boolean) =>
    writeFile(file, `${JSON.stringify({ plan, done, is_finished }, undefined, 2)}\n`);
  return {
    done: done as readonly Done[],
    async add(one: Done): Promise<void> {
      done.push(one);
      await keep(false);
    },
    finish: () => keep(true),
  };
}
