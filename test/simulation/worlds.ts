import { pulledWorld } from './people/pulled-world.ts';
import { redrivenWorld } from './people/redriven-world.ts';
import { simulateAll } from './simulate.ts';
import { StatisticsChange } from './workers/statistics-worker.ts';

/**
 * Runs worlds in a process of their own: `node worlds.ts <first seed> <how many> [redriven or pulled]` prints the
 * report as JSON.
 */
export interface Report {
  readonly counts: Readonly<Record<string, number>>;
  /** The first world that broke a promise. */
  readonly failure?: { readonly seed: number; readonly broken: readonly string[] };
}

const [from, count] = process.argv.slice(2, 4).map(Number);
const statistics = new StatisticsChange();
const special = { redriven: redrivenWorld, pulled: pulledWorld }[process.argv[4] ?? ''];
const failure =
  special !== undefined
    ? await runAll(special, from!, count!)
    : await simulateAll({ from: from!, count: count! }, (world) => statistics.add(world), { shrinkingMs: 0 });
const report: Report = {
  counts: statistics.counts,
  ...(failure === undefined ? {} : { failure: { seed: failure.seed, broken: failure.broken } }),
};
process.stdout.write(`${JSON.stringify(report)}\n`);

async function runAll(
  run: typeof redrivenWorld | typeof pulledWorld,
  first: number,
  max: number,
): Promise<Report['failure']> {
  for (let seed = first; seed < first + max; seed += 1) {
    const { broken } = await run(seed);
    if (broken.length > 0) {
      return { seed, broken };
    }
  }
  return undefined;
}
