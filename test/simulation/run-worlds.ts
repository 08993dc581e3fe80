import { type Failure, simulateAll } from './simulate.ts';
import { StatisticsChange } from './workers/statistics-worker.ts';
import { runWorld } from './world.ts';

const PROGRESS_EVERY_MS = 1_000;

interface RunOptions {
  readonly runs: number;
  readonly seed: number;
  /** Infinity: as long as the runs take. */
  readonly minutes: number;
}

/** Resolves to whether every promise was kept. */
export async function runWorlds({ runs, seed: first, minutes }: RunOptions): Promise<boolean> {
  const startedAt = performance.now();
  const endsAt = startedAt + minutes * 60_000;
  const statistics = new StatisticsChange();
  let toldAt = startedAt;
  const failure = await simulateAll(
    { from: first, count: runs },
    (world) => {
      statistics.add(world);
      if (process.stderr.isTTY && performance.now() - toldAt > PROGRESS_EVERY_MS) {
        toldAt = performance.now();
        process.stderr.write(`\r${statistics.counts.worlds} worlds, ${statistics.counts.attempts} attempts`);
      }
    },
    { goesOn: () => performance.now() < endsAt },
  );
  if (failure !== undefined) {
    await tell(failure);
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const decision = failure === undefined ? '; every promise was kept' : '';
  console.log(
    `${process.stderr.isTTY ? '\r' : ''}${statistics}\nseeds from ${first}, ${seconds} s${decision}`,
  );
  return failure === undefined;
}

async function tell({ seed, broken, smallest }: Failure): Promise<void> {
  console.log(`The world of seed ${seed} breaks:\n${bulleted(broken)}\n`);
  console.log(
    `The smallest world found that also breaks a promise:\n${JSON.stringify(smallest.plan, undefined, 2)}\n`,
  );
  console.log('Its event log:');
  await runWorld(smallest.plan, (text) => console.log(text));
  console.log(`\nIt breaks:\n${bulleted(smallest.broken)}\n`);
  console.log(`Replay it:  npm run simulate -- --seed ${seed} --runs 1\n`);
}

function bulleted(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${sentence}`).join('\n');
}
