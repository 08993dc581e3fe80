import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { type Check, judged } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { revertDrift } from '../revert-drift.ts';
import { attributesOf } from './pipeline-queues.ts';

const READ = [
  { worker: 'Match', queue: 'EventsQueueUrl' },
  { worker: 'Deliver', queue: 'DeliveriesQueueUrl' },
  { worker: 'Wake', queue: 'RetryTimersUrl' },
] as const;

/**
 * Whether a received record stays hidden while a worker may process it: a second worker could break the order
 * of a payment.
 */
export const visibility: Check = {
  name: 'visibility',
  async run(stage) {
    const { visibilityFactor } = stage.settings;
    const faults = await Promise.all(
      READ.map(async ({ worker, queue }) => {
        const [hiddenSeconds, workerSeconds] = await Promise.all([
          visibilityOf(stage, queue),
          timeoutOf(stage, worker),
        ]);
        return hiddenSeconds >= workerSeconds * visibilityFactor
          ? []
          : [
              `${queue.replace(/(Queue)?Url$/, '')} hides a record for ${hiddenSeconds} s, and ${worker} may take ${workerSeconds} s`,
            ];
      }),
    );
    return judged(
      faults.flat(),
      `${READ.length} queues hide a record for ${visibilityFactor} times what its worker may take`,
      `Somebody has changed a queue or a function by hand: ${revertDrift(stage, 'pipeline')}`,
    );
  },
};

async function visibilityOf(stage: ExaminedStage, output: string): Promise<number> {
  return Number((await attributesOf(stage, { output }, 'VisibilityTimeout')).VisibilityTimeout ?? 0);
}

async function timeoutOf(stage: ExaminedStage, worker: string): Promise<number> {
  const { name: FunctionName } = stage.functionOf('pipeline', worker);
  const { Timeout = Number.POSITIVE_INFINITY } = await stage.clients.lambda.send(
    new GetFunctionConfigurationCommand({ FunctionName }),
  );
  return Timeout;
}
