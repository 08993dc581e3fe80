import { simulateAll } from './simulate.ts';
import { Tally } from './tally.ts';

/** Runs worlds in a process of their own: `node worlds.ts <first seed> <how many>` prints the report as JSON. */
export interface Report {
  readonly counts: Readonly<Record<string, number>>;
  /** The first world that broke a promise. */
  readonly failure?: { readonly seed: number; readonly broken: readonly string[] };
}

const [from, count] = process.argv.slice(2).map(Number);
const tally = new Tally();
const failure = await simulateAll({ from: from!, count: count! }, (world) => tally.add(world), {
  shrinkingMs: 0,
});
const report: Report = {
  counts: tally.counts,
  ...(failure === undefined ? {} : { failure: { seed: failure.seed, broken: failure.broken } }),
};
process.stdout.write(`${JSON.stringify(report)}\n`);
