import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { PROJECT } from '../../../../lib/project-paths.ts';

/** Records in a batch, on average. */
export interface Batches {
  readonly match: number;
  readonly deliver: number;
}

const simulatedSchema = z.object({
  command: z.string(),
  on: z.string(),
  batches: z.array(
    z.object({
      eventsPerSecond: z.number(),
      subscriptions: z.number(),
      match: z.number(),
      deliver: z.number(),
    }),
  ),
});
export type Simulated = z.infer<typeof simulatedSchema>;

/** How many records share a batch at some rates, by simulation. */
export function readSimulated(): Simulated {
  const file = path.join(PROJECT, 'cli/operator/cost/measured/batch-sizes.json');
  return simulatedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Between what was simulated by the logarithm of both; beyond it as at its edge. */
export function batchesAt({ batches }: Simulated, eventsPerSecond: number, subscriptions: number): Batches {
  const bySubscriptions = [...Map.groupBy(batches, (one) => one.subscriptions)].map(([count, some]) => {
    const of = (name: keyof Batches) =>
      between(
        some.map((one) => [one.eventsPerSecond, one[name]]),
        eventsPerSecond,
      );
    return { count, match: of('match'), deliver: of('deliver') };
  });
  const of = (name: keyof Batches) =>
    between(
      bySubscriptions.map((one) => [one.count, one[name]]),
      subscriptions,
    );
  return { match: of('match'), deliver: of('deliver') };
}

/** @param points in ascending order */
function between(points: readonly (readonly [at: number, value: number])[], at: number): number {
  const after = points.findIndex(([position]) => position >= at);
  const [first, last] = [points[0]!, points.at(-1)!];
  if (after <= 0) {
    return (after === 0 ? first : last)[1];
  }
  const [[low, from], [high, to]] = [points[after - 1]!, points[after]!];
  return from + ((to - from) * Math.log(at / low)) / Math.log(high / low);
}
