import { runName } from '../../../cli/publisher/send-payments.ts';
import { judgeRun } from '../../results/judge-run.ts';
import type { Judged } from '../../results/outcome.ts';
import type { RunResult } from '../../results/run-result.ts';
import { combineCells, type Findings, resultOf } from '../findings/findings.ts';
import { summary } from '../findings/summary.ts';
import { givenOptions, type LoadOptions, loadOptions } from '../scenario/load-options.ts';
import { optionOf, PARAMETERS, type ParameterName } from '../scenario/parameters.ts';
import { readScenario, type Scenario, scenarioNames } from '../scenario/scenario.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import { showProgress } from '../watch/progress.ts';
import type { CellRun, Meter } from './cell-run.ts';
import { cellsOf, runCells } from './cells.ts';
import { combineRepetitions } from './repetitions.ts';
import { runDirectory } from './run-directory.ts';

export interface LoadSurroundings {
  /** @throws ExplainedError when it cannot be reached */
  stage(name: string): Promise<LabStage>;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  runCell(given: CellRun): Promise<Findings>;
  /** Absent when nothing is metered. */
  meter?(stage: LabStage): Meter;
  /** @default - load-runs */
  readonly runs?: string;
  /** Writes the report of a run; returns its path. */
  report(directory: string, result: RunResult): Promise<string>;
  print(text: string): void;
  /** Progress, for whoever watches. */
  say(line: string): void;
}

type JudgedRun = RunResult & Judged;

/** @throws ExplainedError for invalid options. @returns what is written; undefined for help */
export async function loadCommand(
  args: string[],
  surroundings: LoadSurroundings,
): Promise<JudgedRun | undefined> {
  const raw = givenOptions(args);
  if (raw.help) {
    surroundings.print(await help(raw.scenario));
    return undefined;
  }
  const scenario = await readScenario(raw.scenario);
  const options = loadOptions(raw, scenario);
  const stage = await surroundings.stage(options.stage);
  try {
    return await run(options, scenario, stage, surroundings, `npm run load -- ${args.join(' ')}`);
  } finally {
    await stage.close();
  }
}

const INTERRUPTED = { is_interrupted: true } as const;

async function run(
  options: LoadOptions,
  scenario: Scenario,
  stage: LabStage,
  surroundings: LoadSurroundings,
  command: string,
): Promise<JudgedRun> {
  const { signal, say } = surroundings;
  const { axes, parameters, repeat } = options;
  const directory = await runDirectory(options.scenario, new Date(), surroundings.runs);
  const cells = cellsOf(axes);
  say(`${scenario.title}: ${directory.path}`);
  const meter = surroundings.meter?.(stage);
  const { rounds, isInterrupted } = await runCells(
    { cells, repeat },
    parameters,
    signal,
    (own, cell, round, isFirst) => {
      if (repeat > 1) say(`Repetition ${round} of ${repeat}`);
      if (cells.length > 1) say(`Cell ${cells.indexOf(cell) + 1} of ${cells.length}: ${cell.name}`);
      return surroundings.runCell({
        stage,
        scenario,
        parameters: own,
        cell,
        isWarm: !isFirst,
        run: runName(),
        directory: directory.path,
        signal,
        meter,
        watch: showProgress,
        say,
      });
    },
  );
  const results = rounds.map((findings, index) => {
    const found = combineCells(findings);
    // Interrupted between two cells.
    const interrupted =
      isInterrupted && index === rounds.length - 1 && findings.length < cells.length ? INTERRUPTED : {};
    return resultOf(
      { ...found, ...interrupted },
      {
        run_id: directory.runId,
        scenario: options.scenario,
        title: scenario.title,
        source: { name: scenario.source.name, saw: scenario.source.saw },
        command,
        stage: stage.name,
        machine: stage.machine,
        parameters: { ...parameters, ...axes },
        remarks: scenario.remarks,
      },
    );
  });
  const measured = {
    ...(repeat === 1 ? results[0] : combineRepetitions(results, scenario.remarks)),
    ...(isInterrupted ? INTERRUPTED : {}),
  } as RunResult;
  const result = { ...measured, ...judgeRun(measured) };
  await directory.writeResult(result);
  const report = await surroundings.report(directory.path, result);
  surroundings.print(options.json ? `${JSON.stringify(result)}\n` : summary(result, report));
  return result;
}

async function help(name: string): Promise<string> {
  if (name === '') {
    const scenarios = await Promise.all(
      (await scenarioNames()).map(async (one) => `  ${one.padEnd(20)} ${(await readScenario(one)).title}`),
    );
    return `${USAGE}\nScenarios, each based on a published experiment:\n\n${scenarios.join('\n')}\n`;
  }
  const { title, source, parameters, axes } = await readScenario(name);
  const lines = Object.entries({ ...parameters, ...axes }).map(([parameter, value]) => {
    const { help } = PARAMETERS[parameter as ParameterName];
    return `  ${optionOf(parameter).padEnd(30)} ${help} (default: ${value})`;
  });
  const saw = source.saw.map((line) => `  ${line}`);
  return `${title}\n\nBased on ${source.name}:\n${saw.join('\n')}\n\n${lines.join('\n')}\n`;
}

const USAGE = `Puts a stage under load and judges whether it keeps its promises.

  npm run load -- <scenario> [options]
  npm run load -- <scenario> --help         the experiment it is based on, and its parameters
  npm run load -- profile <what>            profile a delivery; see npm run load -- profile --help

  --stage NAME    local, or a deployed stage with the load lab (default: local)
  --repeat N      run it N times; prints medians with their range, and judges the promises of all
  --full          all cells of a scenario that has cells
  --json          print the result as one JSON object and nothing else
  --help

Exit code: 0 passed; 1 failed: a message was lost, overtaken or repeated without a reason, or a signature was
invalid; 3 void: nothing is shown to be broken, but the run proves nothing; 130 interrupted. Ctrl-C ends it
early and writes the results so far.
`;
