import { ExplainedError } from '../../../cli/terminal/explanation.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { nearest } from './nearest.ts';
import { isParameter, optionOf, PARAMETERS, type ParameterName, type Parameters } from './parameters.ts';
import type { Scenario } from './scenario.ts';

/** Stages with the simulated receiver. */
const LAB_STAGES = Object.values(STAGES).flatMap(({ name, loadLab }) => (loadLab ? [name as string] : []));

export interface LoadOptions {
  readonly scenario: string;
  readonly stage: string;
  readonly parameters: Parameters;
  readonly axes: Readonly<Partial<Record<ParameterName, readonly number[]>>>;
  /** Repetitions of the whole scenario. */
  readonly repeat: number;
  readonly json: boolean;
}

/** The command line, before the scenario's parameters are known. */
export interface RawLoadOptions {
  readonly scenario: string;
  readonly stage: string;
  readonly repeat: number;
  readonly json: boolean;
  readonly full: boolean;
  readonly help: boolean;
  /** Options other than the above, by name without dashes; a flag is `true`. */
  readonly given: Readonly<Record<string, string | boolean | undefined>>;
}

const FLAGS = ['json', 'full', 'help'];

/** @throws ExplainedError for more than one scenario, an unknown stage or an invalid number of repetitions */
export function givenOptions(args: string[]): RawLoadOptions {
  const { names, given } = partsOf(args);
  const [scenario = '', ...more] = names;
  if (more.length > 0) {
    throw new ExplainedError(`give one scenario at a time, not ${names.join(', ')}`);
  }
  const { stage = 'local', repeat = '1', json, full, help, h, ...rest } = given;
  if (typeof stage !== 'string' || !LAB_STAGES.includes(stage)) {
    throw new ExplainedError(`--stage: ${stage} has no load lab; these have: ${LAB_STAGES.join(', ')}`);
  }
  if (!/^[1-9]\d?$/.test(String(repeat))) {
    throw new ExplainedError(
      `--repeat: ${repeat === true ? 'needs a value' : `${repeat} is invalid`}: a whole number from 1 to 99`,
    );
  }
  return {
    scenario,
    stage,
    repeat: Number(repeat),
    json: json === true,
    full: full === true,
    help: help === true || h === true || scenario === '',
    given: rest,
  };
}

/**
 * Node's parser treats the value of an unknown option as a positional argument, and options are unknown until
 * the scenario is read.
 */
function partsOf(args: readonly string[]) {
  const names: string[] = [];
  const given: Record<string, string | boolean> = {};
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const [, name, value] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const next = args[index + 1];
    if (name === undefined) {
      names.push(arg);
    } else if (value !== undefined) {
      given[name] = value;
    } else if (FLAGS.includes(name) || next === undefined || next.startsWith('--')) {
      given[name] = true;
    } else {
      given[name] = next;
      index += 1;
    }
  }
  return { names, given };
}

/** @throws ExplainedError that names each invalid parameter, and those that the scenario has */
export function loadOptions(raw: RawLoadOptions, scenario: Scenario): LoadOptions {
  const axes: Partial<Record<ParameterName, readonly number[]>> = {
    ...(raw.full ? (scenario.full_axes ?? scenario.axes) : scenario.axes),
  };
  const parameters: Partial<Record<ParameterName, number | string>> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(scenario.parameters)) {
    read(name as ParameterName, String(value), (read) => {
      parameters[name as ParameterName] = read;
    });
  }
  for (const [option, value] of Object.entries(raw.given)) {
    const name = option.replaceAll('-', '_');
    if (!isParameter(name) || !(name in scenario.parameters || name in axes)) {
      problems.push(`--${option}: ${unknown(raw.scenario, option, scenario)}`);
    } else if (typeof value !== 'string') {
      problems.push(`--${option}: needs a value: ${PARAMETERS[name].help}`);
    } else if (name in axes) {
      const values: number[] = [];
      for (const part of value.split(',')) read(name, part, (read) => values.push(Number(read)));
      if (values.some(Number.isNaN))
        problems.push(`--${option}: must be numbers such as ${axes[name]?.join(',')}`);
      axes[name] = values;
    } else {
      read(name, value, (read) => {
        parameters[name] = read;
      });
    }
  }
  if (problems.length > 0) throw new ExplainedError(problems.join('\n'));
  if (parameters.patience !== undefined && raw.given.patience === undefined) {
    parameters.patience = Math.max(Number(parameters.patience), patienceWith(raw.stage));
  }
  const { scenario: name, stage, repeat, json } = raw;
  return { scenario: name, stage, parameters, axes, repeat, json };

  function read(name: ParameterName, text: string, take: (value: number | string) => void): void {
    const checked = PARAMETERS[name].schema.safeParse(text);
    if (checked.success) {
      take(checked.data);
    } else {
      problems.push(...checked.error.issues.map(({ message }) => `${optionOf(name)}: ${message}`));
    }
  }
}

/** In seconds. Covers two probes of an open circuit, and the drain that follows. */
function patienceWith(stage: string): number {
  const { longestCoolDownMs } = STAGES[stage as keyof typeof STAGES].deliveryPolicy.circuit;
  return 30 + (2 * longestCoolDownMs) / 1_000;
}

function unknown(scenario: string, option: string, { parameters, axes }: Scenario): string {
  const names = [...Object.keys(parameters), ...Object.keys(axes)].map(optionOf);
  const meant = nearest(`--${option}`, names);
  return `${scenario} has no such option${meant === undefined ? '' : ` (did you mean ${meant}?)`}; it has ${names.join(', ')}`;
}
