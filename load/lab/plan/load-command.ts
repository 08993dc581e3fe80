import { runName } from '../../../cli/publisher/send-payments.ts';
import { ExplainedError } from '../../../cli/terminal/explained-error.ts';
import type { RunResult } from '../../results/run-result.ts';
import { brokenPromises, type Findings, resultOf, together } from '../findings/findings.ts';
import { summary } from '../findings/summary.ts';
import { givenOptions, type LoadOptions, loadOptions } from '../scenario/load-options.ts';
import { optionOf, PARAMETERS, type ParameterName } from '../scenario/parameters.ts';
import { readScenario, type Scenario, scenarioNames } from '../scenario/scenario.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import { showProgress } from '../watch/progress.ts';
import { bestOf, isAtItsTop } from './best.ts';
import type { CellRun, Meter } from './cell-run.ts';
import { cellsOf, runCells } from './cells.ts';
import { repeated } from './repetitions.ts';
import { runDirectory } from './run-directory.ts';

export interface LoadSurroundings {
  /** @throws ExplainedError when it cannot be reached */
  stage(name: string): Promise<LabStage>;
  /** Aborted when the person wants it to end. */
  readonly signal: AbortSignal;
  /** Has Artillery there, with what it says in the directory. */
  install(directory: string): Promise<void>;
  runCell(given: CellRun): Promise<Findings>;
  /** Absent where nobody counts. */
  meter?(stage: LabStage): Meter;
  /** @default - load-runs */
  readonly runs?: string;
  /** Hears the name of the run's directory. */
  began?(runId: string): void;
  /** Makes the report of a run; answers its file. */
  report(directory: string): Promise<string | undefined>;
  print(text: string): void;
  /** To somebody who watches. */
  say(line: string): void;
}

/** @throws ExplainedError when what was asked for makes no sense, or when the run broke a promise; its result is written by then */
export async function loadCommand(
  args: string[],
  surroundings: LoadSurroundings,
): Promise<RunResult | undefined> {
  const wanted = givenOptions(args);
  if (wanted.help) {
    surroundings.print(await help(wanted.scenario));
    return undefined;
  }
  const scenario = await readScenario(wanted.scenario);
  const options = loadOptions(wanted, scenario);
  const stage = await surroundings.stage(options.stage);
  try {
    return await run(options, scenario, stage, surroundings, `npm run load -- ${args.join(' ')}`);
  } finally {
    await stage.close();
  }
}

const STRUCK = { is_interrupted: true } as const;

async function run(
  options: LoadOptions,
  scenario: Scenario,
  stage: LabStage,
  surroundings: LoadSurroundings,
  command: string,
): Promise<RunResult> {
  const { signal, say } = surroundings;
  const { axes, parameters, repeat } = options;
  const plan = { scenario: options.scenario, stage: stage.name, parameters, axes };
  const directory = await runDirectory(
    repeat === 1 ? plan : { ...plan, repeat },
    new Date(),
    surroundings.runs,
  );
  surroundings.began?.(directory.runId);
  await surroundings.install(directory.path);
  const cells = cellsOf(axes);
  say(
    `${scenario.title}: ${directory.path}${directory.isResumed ? ', goes on where it was interrupted' : ''}`,
  );
  const meter = surroundings.meter?.(stage);
  const keeping = { store: directory.cells, signal };
  const { rounds, isInterrupted } = await runCells(
    { cells, repeat, ...(scenario.climbs ? { isEnough: isAtItsTop } : {}) },
    parameters,
    keeping,
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
        ...(meter === undefined ? {} : { meter }),
        watch: showProgress,
        say,
      });
    },
  );
  const results = rounds.map((findings, index) => {
    const found = together(findings);
    // Between two of its cells.
    const isStruck =
      isInterrupted && index === rounds.length - 1 && findings.length < cells.length ? STRUCK : {};
    const best = scenario.climbs ? bestOf(found.groups) : undefined;
    return resultOf(
      { ...found, ...isStruck, ...(best === undefined ? {} : { best }) },
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
  const result = {
    ...(repeat === 1 ? results[0] : repeated(results, scenario.remarks)),
    ...(isInterrupted ? STRUCK : {}),
  } as RunResult;
  const file = await directory.writeResult(result);
  const report = await surroundings.report(directory.path);
  surroundings.print(options.json ? `${JSON.stringify(result)}\n` : summary(result, report ?? file));
  const broken = brokenPromises(result);
  if (broken.length > 0) {
    throw new ExplainedError(`The run broke a promise: ${broken.join(', ')}. The numbers: ${file}`);
  }
  return result;
}

async function help(name: string): Promise<string> {
  if (name === '') {
    const scenarios = await Promise.all(
      (await scenarioNames()).map(async (one) => `  ${one.padEnd(20)} ${(await readScenario(one)).title}`),
    );
    return `${USAGE}\nScenarios, each after a published experiment:\n\n${scenarios.join('\n')}\n`;
  }
  const { title, source, parameters, axes } = await readScenario(name);
  const lines = Object.entries({ ...parameters, ...axes }).map(([parameter, value]) => {
    const { help } = PARAMETERS[parameter as ParameterName];
    return `  ${optionOf(parameter).padEnd(30)} ${help} (default: ${value})`;
  });
  const saw = source.saw.map((line) => `  ${line}`);
  return `${title}\n\nAfter ${source.name}:\n${saw.join('\n')}\n\n${lines.join('\n')}\n`;
}

const USAGE = `Puts a stage under load and judges whether it keeps its promises.

  npm run load -- <scenario> [options]
  npm run load -- <scenario> --help    what it is after, and its parameters
  npm run load -- all [options]        all of them, and one table; see npm run load -- all --help

  --stage NAME    local or a deployed one with the load lab (default: local)
  --repeat N      run it N times; prints the median of each figure with its range, and all promises must be kept in all of them
  --full          all cells of a scenario that has them
  --json          print the result as one JSON object and nothing else
  --help

A loss, a change of order or a repeat that no failed attempt explains ends it with exit code 1. Ctrl-C ends it early:
what there is is written, and a scenario with cells or repetitions goes on there when it is started again.
`;
