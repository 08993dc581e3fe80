import { randomInt } from 'node:crypto';
import { runCommand } from '../../cli/terminal/explanation.ts';
import { RUN_HELP, runOptions } from './run-options.ts';
import { type Failure, simulateAll } from './simulate.ts';
import { StatisticsChange } from './workers/statistics-worker.ts';
import { runWorld } from './world.ts';

const PROGRESS_EVERY_MS = 1_000;

/** Commands besides the worlds; each reads the arguments behind its name when it is imported. */
const TOOLS = new Map([
  ['scale', './scale/run.ts'],
  ['mutate', './mutations/mutate.ts'],
]);

const tool = TOOLS.get(process.argv[2] ?? '');
if (tool === undefined) {
  await runCommand(runWorlds);
} else {
  process.argv.splice(2, 1);
  await import(tool);
}

async function runWorlds(args: string[]): Promise<void> {
  const options = runOptions(args);
  if (options === 'help') {
    process.stdout.write(RUN_HELP);
    return;
  }
  const first = options.seed ?? randomInt(1_000_000_000);
  const startedAt = performance.now();
  const endsAt = startedAt + (options.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  const tally = new StatisticsChange();
  let toldAt = startedAt;
  const failure = await simulateAll(
    { from: first, count: options.runs },
    (world) => {
      tally.add(world);
      if (process.stderr.isTTY && performance.now() - toldAt > PROGRESS_EVERY_MS) {
        toldAt = performance.now();
        process.stderr.write(`\r${tally.counts.worlds} worlds, ${tally.counts.attempts} attempts`);
      }
    },
    { goesOn: () => performance.now() < endsAt },
  );
  if (failure !== undefined) {
    await tell(failure);
    process.exitCode = 1;
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const decision = process.exitCode === 1 ? '' : '; every promise was kept';
  console.log(`${process.stderr.isTTY ? '\r' : ''}${tally}\nseeds from ${first}, ${seconds} s${decision}`);
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
