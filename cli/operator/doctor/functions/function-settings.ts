import { GetFunctionConcurrencyCommand, GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { maxWorkersOf } from '../../../../lib/pollers.ts';
import type { Part } from '../../../../lib/recorded-deployment.ts';
import { type Check, judged } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { revertDrift } from '../revert-drift.ts';

const RESERVED = {
  Match: 'match',
  Deliver: 'deliver',
  Wake: 'wake',
  Sweep: 'sweep',
  Statistics: 'statistics',
} as const;

/** Whether functions have the stage's reserved concurrency, without which one can starve the others. */
export const reservedConcurrency: Check = {
  name: 'reserved-concurrency',
  partOf: [15],
  async run(stage) {
    const { concurrency } = stage.settings;
    const maxOf = {
      ...concurrency,
      match: maxWorkersOf(stage.settings, 'match'),
      deliver: maxWorkersOf(stage.settings, 'deliver'),
    };
    const faults = await Promise.all(
      Object.entries(RESERVED).map(async ([id, name]) => {
        const wanted = concurrency.reserved ? maxOf[name] : undefined;
        const { name: FunctionName } = stage.functionOf('pipeline', id);
        const { ReservedConcurrentExecutions: seen } = await stage.clients.lambda.send(
          new GetFunctionConcurrencyCommand({ FunctionName }),
        );
        return seen === wanted ? [] : [`${id} has ${seen ?? 'nothing'} instead of ${wanted ?? 'nothing'}`];
      }),
    );
    return judged(
      faults.flat(),
      concurrency.reserved ? 'each worker has its own' : 'nothing is set aside, as the stage says',
      'Somebody has changed it by hand: aws lambda put-function-concurrency, or delete-function-concurrency.',
    );
  },
};

/** Whether X-Ray traces what it should and nothing else: each trace costs. */
export const tracing: Check = {
  name: 'tracing',
  partOf: [39],
  notEmulated: 'it has no X-Ray',
  async run(stage) {
    const names = partsWithFunctions(stage)
      .flatMap((part) => Object.values(stage.functions(part)))
      .map(({ name }) => name);
    const traced = tracedOf(stage);
    const modes = await Promise.all(
      names.map(async (FunctionName) => {
        const { TracingConfig } = await stage.clients.lambda.send(
          new GetFunctionConfigurationCommand({ FunctionName }),
        );
        const wanted = traced.includes(FunctionName) ? 'Active' : 'PassThrough';
        return { FunctionName, mode: TracingConfig?.Mode, wanted };
      }),
    );
    const other = modes.filter(({ mode, wanted }) => mode !== wanted);
    return judged(
      other.map(({ FunctionName, mode }) => `${FunctionName} is on ${mode}`),
      `${traced.length} of ${names.length} functions, as the stage says`,
      `Put it back: ${revertDrift(stage)}`,
    );
  },
};

function tracedOf(stage: ExaminedStage): readonly string[] {
  return stage.settings.tracing ? ['Api', 'Doctor'].map((id) => stage.functionOf('api', id).name) : [];
}

export function partsWithFunctions({ parts }: Pick<ExaminedStage, 'parts'>): readonly Part[] {
  return (['pipeline', 'api', 'archive'] as const).filter((part) => parts[part] !== undefined);
}
