import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { type Check, judged } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { revertDrift } from '../revert-drift.ts';
import { attributesOf, PIPELINE_QUEUES, queueProblems } from './queues.ts';

const policySchema = z.object({
  Statement: z.array(
    z.object({
      Effect: z.string(),
      Condition: z.optional(z.object({ Bool: z.optional(z.record(z.string(), z.string())) })),
    }),
  ),
});

/** Whether queues refuse whatever does not come by TLS. */
export const queuePolicies: Check = {
  name: 'queue-policies',
  partOf: [28],
  async run(stage) {
    const faults = await queueProblems(stage, ['Policy'], ({ Policy }) =>
      refusesPlain(Policy) ? undefined : 'takes it',
    );
    return judged(
      faults,
      `${PIPELINE_QUEUES.length} queues refuse what is not TLS`,
      'Somebody has changed the policy by hand, which CloudFormation does not notice: put the statement back (aws sqs set-queue-attributes).',
    );
  },
};

function refusesPlain(policy: string | undefined): boolean {
  return (
    policy !== undefined &&
    policySchema
      .parse(JSON.parse(policy))
      .Statement.some(
        ({ Effect, Condition }) =>
          Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport']?.toLowerCase() === 'false',
      )
  );
}

/** Whether every queue is encrypted. With the key of SQS, EventBridge writes without more permissions. */
export const queueEncryption: Check = {
  name: 'queue-encryption',
  notEmulated: 'it encrypts nothing',
  async run(stage) {
    const faults = await queueProblems(
      stage,
      ['KmsMasterKeyId', 'SqsManagedSseEnabled'],
      ({ KmsMasterKeyId = '', SqsManagedSseEnabled }) =>
        SqsManagedSseEnabled === 'true' || KmsMasterKeyId !== '' ? undefined : 'is not encrypted',
    );
    return judged(
      faults,
      `${PIPELINE_QUEUES.length} queues are encrypted`,
      `Somebody has changed a queue by hand: ${revertDrift(stage, 'pipeline')}`,
    );
  },
};

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
