import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ExplainedError } from '../../../cli/terminal/explained-error.ts';
import { readRun } from '../../results/read-run.ts';
import type { RawLoadOptions } from '../scenario/load-options.ts';
import { scenarioNames } from '../scenario/scenario.ts';
import { allState, type Done, ORDER, quickOptions } from './all-plan.ts';
import { type AllRow, allTable } from './all-table.ts';
import { type LoadSurroundings, loadCommand } from './load-command.ts';
import { RUNS } from './run-directory.ts';

/** Timers and connections left by one scenario must not reach the next. */
const SLEEP_MS = 10_000;

export const ALL_HELP = `Runs all scenarios one after another and summarizes them in one table.

  npm run load -- all [options]

  --repeat N      run each N times; the table has medians with their range
  --quick         run each for a few seconds, to check that it works: the numbers mean little
  --stage NAME    local, or a deployed stage with the load lab (default: local)
  --json          print what was run as one JSON object and nothing else
  --help

Each run writes its report as usual; the table is printed and written to load-runs/all.md. A scenario that
cannot run, such as slow-store without its proxy, is listed with the reason. A broken promise does not stop the
others, but the command then ends with exit code 1. After an interruption, the same command continues with the
interrupted scenario.
`;

/**
 * @returns whether it was interrupted
 * @throws ExplainedError for an invalid option, or when a scenario failed or broke a promise, after the table
 * is written
 */
export async function allCommand(
  raw: RawLoadOptions,
  surroundings: LoadSurroundings,
  sleepMs = SLEEP_MS,
): Promise<{ readonly isInterrupted: boolean }> {
  const { quick, ...unknown } = raw.given;
  const options = Object.keys(unknown);
  if (options.length > 0 || raw.full || (quick !== undefined && quick !== true)) {
    const invalid = options.length > 0 ? options : raw.full ? ['full'] : ['quick'];
    throw new ExplainedError(
      `--${invalid.join(', --')}: all takes --repeat N, --quick, --stage NAME and --json; only a single scenario takes parameters`,
    );
  }
  const { runs = RUNS, signal, say } = surroundings;
  await mkdir(runs, { recursive: true });
  const plan = { stage: raw.stage, repeat: raw.repeat, quick: quick === true };
  const state = await allState(runs, plan);
  const scenarios = ordered(await scenarioNames());
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
  surroundings.print(raw.json ? `${JSON.stringify({ plan, done: state.done })}\n` : `\n${table}\n${file}\n`);
  const isInterrupted = state.done.length < scenarios.length;
  if (!isInterrupted) await state.finish();
  const problems = state.done.flatMap(({ scenario, fault }) =>
    fault === undefined ? [] : [`  ${scenario}: ${fault}`],
  );
  if (problems.length > 0) {
    throw new ExplainedError(
      [`${problems.length} of ${scenarios.length} scenarios failed:`, ...problems].join('\n'),
    );
  }
  return { isInterrupted };
}

/** Scenarios without a place in `ORDER` come last. */
function ordered(names: readonly string[]): string[] {
  const placed = ORDER.filter((name) => names.includes(name));
  return [...placed, ...names.filter((name) => !placed.includes(name))];
}

/** Undefined when interrupted: it must run again. */
async function one(
  scenario: string,
  { stage, repeat, quick }: { readonly stage: string; readonly repeat: number; readonly quick: boolean },
  surroundings: LoadSurroundings,
): Promise<Done | undefined> {
  const args = [
    scenario,
    ...(stage === 'local' ? [] : ['--stage', stage]),
    ...(quick ? quickOptions(scenario) : []),
    ...(repeat === 1 ? [] : ['--repeat', String(repeat)]),
  ];
  let runId: string | undefined;
  const found = await loadCommand(args, {
    ...surroundings,
    // Only the table is printed.
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
    run_id: runId,
    ...('fault' in found ? { fault: found.fault } : {}),
  };
}

async function rowOf({ scenario, run_id, fault = 'no result' }: Done, runs: string): Promise<AllRow> {
  const run = run_id === undefined ? undefined : await readRun(join(runs, run_id));
  return run?.kind === 'run' ? { scenario, result: run.result } : { scenario, fault };
}
