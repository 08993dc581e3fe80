import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ExplainedError } from '../../../cli/terminal/explained-error.ts';
import { readRun } from '../../results/read-run.ts';
import type { LoadOptionsGiven } from '../scenario/load-options.ts';
import { scenarioNames } from '../scenario/scenario.ts';
import { allState, type Done, ORDER, quickly } from './all-plan.ts';
import { type AllRow, allTable } from './all-table.ts';
import { type LoadSurroundings, loadCommand } from './load-command.ts';
import { RUNS } from './run-directory.ts';

/** What one scenario leaves behind, timers and connections, is not the next one's. */
const SLEEP_MS = 10_000;

export const ALL_HELP = `Runs all scenarios one after another, with a pause between, and makes one table of them.

  npm run load -- all [options]

  --repeat N      each N times; the table has medians with their range
  --quick         each for some seconds, to see that it works: the numbers are of little use
  --stage NAME    local or a deployed one with the load lab (default: local)
  --json          print what was run as one JSON object and nothing else
  --help

Each run has its report as ever; the table is printed, and written to load-runs/all.md. What cannot be run, such as slow-store on a local stack without
its proxy, is named with its reason. A broken promise does not keep the others from being run; the command ends with exit code 1 then. When it was
interrupted, the same command goes on with the scenario that was struck.
`;

/**
 * @returns whether it was interrupted
 * @throws ExplainedError when an option makes no sense, or when some scenario was not run or broke a promise; the table is written by then
 */
export async function allCommand(
  wanted: LoadOptionsGiven,
  surroundings: LoadSurroundings,
  sleepMs = SLEEP_MS,
): Promise<{ readonly isInterrupted: boolean }> {
  const { quick, ...unknown } = wanted.given;
  const options = Object.keys(unknown);
  if (options.length > 0 || wanted.full || (quick !== undefined && quick !== true)) {
    const wrong = options.length > 0 ? options : wanted.full ? ['full'] : ['quick'];
    throw new ExplainedError(
      `--${wrong.join(', --')}: all takes --repeat N, --quick, --stage NAME and --json; parameters are given to one scenario`,
    );
  }
  const { runs = RUNS, signal, say } = surroundings;
  await mkdir(runs, { recursive: true });
  const plan = { stage: wanted.stage, repeat: wanted.repeat, quick: quick === true };
  const state = await allState(runs, plan);
  const scenarios = inOrder(await scenarioNames());
  const todo = scenarios.filter((name) => !state.done.some(({ scenario }) => scenario === name));
  for (const [index, scenario] of todo.entries()) {
    if (signal.aborted) break;
    say(`\n${scenarios.indexOf(scenario) + 1} of ${scenarios.length}: ${scenario}`);
    const done = await one(scenario, plan, surroundings);
    if (done === undefined) break;
    await state.add(done);
    if (index < todo.length - 1) await delay(sleepMs, undefined, { signal }).catch(() => {});
  }
  const rows = await Promise.all(state.done.map((done) => rowOf(done, runs)));
  const table = allTable(rows);
  const file = join(runs, 'all.md');
  await writeFile(file, table);
  surroundings.print(
    wanted.json ? `${JSON.stringify({ plan, done: state.done })}\n` : `\n${table}\n${file}\n`,
  );
  const isInterrupted = state.done.length < scenarios.length;
  if (!isInterrupted) await state.finish();
  const faults = state.done.flatMap(({ scenario, fault }) =>
    fault === undefined ? [] : [`  ${scenario}: ${fault}`],
  );
  if (faults.length > 0) {
    throw new ExplainedError(
      [`${faults.length} of ${scenarios.length} scenarios had a fault:`, ...faults].join('\n'),
    );
  }
  return { isInterrupted };
}

/** Scenarios that nobody has given a place come last. */
function inOrder(names: readonly string[]): string[] {
  const placed = ORDER.filter((name) => names.includes(name));
  return [...placed, ...names.filter((name) => !placed.includes(name))];
}

/** Undefined when it was interrupted: it is to be run again. */
async function one(
  scenario: string,
  { stage, repeat, quick }: { readonly stage: string; readonly repeat: number; readonly quick: boolean },
  surroundings: LoadSurroundings,
): Promise<Done | undefined> {
  const args = [
    scenario,
    ...(stage === 'local' ? [] : ['--stage', stage]),
    ...(quick ? quickly(scenario) : []),
    ...(repeat === 1 ? [] : ['--repeat', String(repeat)]),
  ];
  let runId: string | undefined;
  const found = await loadCommand(args, {
    ...surroundings,
    // What each of them says goes beside the table, which is all that is printed.
    print: (text) => surroundings.say(text),
    began: (id) => {
      runId = id;
    },
  }).then(
    (result) => ({ isInterrupted: result?.is_interrupted === true }),
    (error: unknown) => {
      if (surroundings.signal.aborted) return { isInterrupted: true };
      if (!(error instanceof ExplainedError)) throw error;
      return { isInterrupted: false, fault: error.message };
    },
  );
  if (found.isInterrupted) return undefined;
  return {
    scenario,
    ...(runId === undefined ? {} : { run_id: runId }),
    ...('fault' in found ? { fault: found.fault } : {}),
  };
}

async function rowOf({ scenario, run_id, fault = 'it left no result' }: Done, runs: string): Promise<AllRow> {
  const run = run_id === undefined ? undefined : await readRun(join(runs, run_id));
  return run?.kind === 'run' ? { scenario, result: run.result } : { scenario, fault };
}
