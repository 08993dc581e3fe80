import { DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  GetFunctionConcurrencyCommand,
  GetFunctionConfigurationCommand,
  GetFunctionRecursionConfigCommand,
} from '@aws-sdk/client-lambda';
import { maxWorkersOf } from '../../../../lib/pollers.ts';
import type { Part } from '../../../../lib/recorded-deployment.ts';
import { type Check, judged } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { revertDrift } from '../revert-drift.ts';
import { measured } from '../stacks/metrics.ts';

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

function partsWithFunctions({ parts }: Pick<ExaminedStage, 'parts'>): readonly Part[] {
  return (['pipeline', 'api', 'archive'] as const).filter((part) => parts[part] !== undefined);
}

/** Whether logs expire: those kept for ever cost for ever. */
export const logRetention: Check = {
  name: 'log-retention',
  async run(stage) {
    const wanted = stage.settings.logRetentionDays;
    const groups = partsWithFunctions(stage).map((part) => stage.named(part, 'Logs::LogGroup'));
    const names = (await Promise.all(groups)).flat();
    const faults = await Promise.all(
      names.map(async (logGroupNamePrefix) => {
        const { logGroups = [] } = await stage.clients.logs.send(
          new DescribeLogGroupsCommand({ logGroupNamePrefix }),
        );
        const days = logGroups.find(
          ({ logGroupName }) => logGroupName === logGroupNamePrefix,
        )?.retentionInDays;
        return days === wanted ? [] : [`${logGroupNamePrefix} keeps ${days ?? 'for ever'}`];
      }),
    );
    return judged(
      faults.flat(),
      `${names.length} log groups keep ${wanted} days`,
      `Set it: aws logs put-retention-policy --retention-in-days ${wanted} --log-group-name …`,
    );
  },
};

const MINUTES = 60;

/**
 * Whether Lambda lets match, deliver and wake feed the queues that invoke them: else it stops the 17th round,
 * with the rest of the batch.
 */
export const recursion: Check = {
  name: 'recursion',
  items: [9],
  notEmulated: 'it does not stop loops, and reports Terminate whatever the template says',
  async run(stage) {
    const faults = await Promise.all(
      ['Match', 'Deliver', 'Wake'].map(async (id) => {
        const { name: FunctionName } = stage.functionOf('pipeline', id);
        const { RecursiveLoop } = await stage.clients.lambda.send(
          new GetFunctionRecursionConfigCommand({ FunctionName }),
        );
        const dropped = await measured(stage, {
          namespace: 'AWS/Lambda',
          name: 'RecursiveInvocationsDropped',
          dimensions: { FunctionName },
          statistic: 'Sum',
          minutes: MINUTES,
        });
        const sum = dropped.reduce((total, count) => total + count, 0);
        return [
          ...(RecursiveLoop === 'Allow' ? [] : [`${id} is on ${RecursiveLoop}`]),
          ...(sum === 0 ? [] : [`${sum} rounds of ${id} were stopped in the last hour`]),
        ];
      }),
    );
    return judged(
      faults.flat(),
      'match, deliver and wake may go round, and none was stopped in the last hour',
      'Set it: aws lambda put-function-recursion-config --recursive-loop Allow --function-name …',
    );
  },
};
