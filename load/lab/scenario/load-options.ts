import { parseArgs } from 'node:util';
import { ExplainedError } from '../../../cli/terminal/explanation.ts';
import { STAGES } from '../../../payhooks.config.ts';
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
  /** Parameters, by their options without dashes. */
  readonly given: Readonly<Record<string, string | undefined>>;
}

const OWN = {
  stage: { type: 'string', default: 'local' },
  repeat: { type: 'string', default: '1' },
  json: { type: 'boolean', default: false },
  full: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;
const OF_SCENARIOS = Object.fromEntries(
  Object.keys(PARAMETERS).map((name) => [optionOf(name).slice(2), { type: 'string' } as const]),
);

/**
 * @throws ExplainedError for an option that no scenario has, more than one scenario, an unknown stage or an
 * invalid number of repetitions
 */
export function givenOptions(args: string[]): RawLoadOptions {
  const { values, positionals } = parsed(args);
  const { stage, repeat, json, full, help, ...given } = values;
  const [scenario = '', ...more] = positionals;
  if (more.length > 0) {
    throw new ExplainedError(`give one scenario at a time, not ${positionals.join(', ')}`);
  }
  if (!LAB_STAGES.includes(stage)) {
    throw new ExplainedError(`--stage: ${stage} has no load lab; these have: ${LAB_STAGES.join(', ')}`);
  }
  if (!/^[1-9]\d?$/.test(repeat)) {
    throw new ExplainedError(`--repeat: ${repeat} is invalid: a whole number from 1 to 99`);
  }
  return { scenario, stage, repeat: Number(repeat), json, full, help: help || scenario === '', given };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: { ...OF_SCENARIOS, ...OWN }, allowPositionals: true });
  } catch (error) {
    const [said] = (error as Error).message.split('. ');
    throw new ExplainedError(`${said}; with --help a scenario lists its options`);
  }
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
  for (const [option, value = ''] of Object.entries(raw.given)) {
    const name = option.replaceAll('-', '_');
    if (!isParameter(name) || !(name in scenario.parameters || name in axes)) {
      const names = [...Object.keys(scenario.parameters), ...Object.keys(axes)].map(optionOf);
      problems.push(`--${option}: ${raw.scenario} has no such option; it has ${names.join(', ')}`);
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
