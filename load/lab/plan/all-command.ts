import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ExplainedError } from '../../../cli/terminal/explained-error.ts';
import { type Outcome, worstOf } from '../../results/outcome.ts';
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
cannot run, such as slow-store without its proxy, is listed with the reason. None of that stops the others.
After an interruption, the same command continues with the interrupted scenario.

Exit code: 0 all passed, 1 one failed or could not run, 3 none failed and one is void, 130 interrupted.
`;

export interface Ended {
  readonly outcome: Outcome;
  readonly isInterrupted: boolean;
}

/**
 * @returns `failed` also when a scenario could not run
 * @throws ExplainedError for an invalid option
 */
export async function allCommand(
  raw: RawLoadOptions,
  surroundings: LoadSurroundings,
  sleepMs = SLEEP_MS,
): Promise<Ended> {
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
  const { done } = state;
  const outcome = worstOf(done.map(({ outcome }) => outcome));
  surroundings.print(
    raw.json ? `${JSON.stringify({ outcome, plan, done })}\n` : `\n${table}\n${file}\n${problemsOf(done)}`,
  );
  const isInterrupted = done.length < scenarios.length;
  if (!isInterrupted) await state.finish();
  return { outcome, isInterrupted };
}

/** A line for each scenario that did not pass. */
function problemsOf(done: readonly Done[]): string {
  return done
    .flatMap(({ scenario, outcome, fault }) =>
      fault === undefined ? [] : [`${scenario} ${outcome}: ${fault}\n`],
    )
    .join('');
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
    (result): Found => ({
      isInterrupted: result?.is_interrupted === true,
      outcome: result?.outcome ?? 'passed',
      ...(result === undefined || result.outcome === 'passed' ? {} : { fault: result.reasons.join(', ') }),
    }),
    (error: unknown): Found => {
      if (surroundings.signal.aborted) return { isInterrupted: true, outcome: 'failed' };
      if (!(error instanceof ExplainedError)) throw error;
      return { isInterrupted: false, outcome: 'failed', fault: error.message };
    },
  );
  const { isInterrupted, ...rest } = found;
  return isInterrupted ? undefined : { scenario, run_id: runId, ...rest };
}

interface Found extends Pick<Done, 'outcome' | 'fault'> {
  readonly isInterrupted: boolean;
}

async function rowOf({ scenario, run_id, fault = 'no result' }: Done, runs: string): Promise<AllRow> {
  const run = run_id === undefined ? undefined : await readRun(join(runs, run_id));
  return run?.kind === 'run' ? { scenario, result: run.result } : { scenario, fault };
}
