import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STAGES } from '../lib/stages.ts';
import { ExplainedError } from '../local/explained-error.ts';
import { clientConfig } from '../local/local-account.ts';
import { type LocalOutputs, readOutputs } from '../local/outputs.ts';
import { stackOutput } from '../local/stack-output.ts';
import type { DeadLetterQueue } from './dead-letter-queues.ts';

/** A stage as an operator reaches it: the local one, or a deployed one by their AWS credentials. */
export interface StageAccess {
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
  /** @throws ExplainedError when the stack does not tell it */
  deadLetterUrls(queue: DeadLetterQueue): Promise<{ readonly deadLetters: string; readonly target: string }>;
  deliveriesUrl(): Promise<string>;
  tables(): Promise<{ readonly keys: string; readonly history: string }>;
}

export const STAGE_NAMES = Object.keys(STAGES);

/** @throws ExplainedError when the local stack does not run */
export async function stageAccess(stage: string): Promise<StageAccess> {
  if (stage === 'local') {
    return localAccess(await readOutputs());
  }
  const pipeline = (output: string) => stackOutput(stage, 'pipeline', output);
  return {
    sqs: new SQSClient(),
    dynamodb: new DynamoDBClient(),
    deadLetterUrls: async ({ deadLetters, target }) => ({
      deadLetters: await pipeline(deadLetters.stack),
      target: await pipeline(target.stack),
    }),
    deliveriesUrl: () => pipeline('DeliveriesQueueUrl'),
    tables: async () => ({
      keys: await stackOutput(stage, 'data', 'KeysTableName'),
      history: await stackOutput(stage, 'data', 'HistoryTableName'),
    }),
  };
}

export function localAccess({ endpoint, queues, tables }: LocalOutputs): StageAccess {
  const config = clientConfig(endpoint);
  return {
    sqs: new SQSClient(config),
    dynamodb: new DynamoDBClient(config),
    deadLetterUrls: async ({ deadLetters, target }) => ({
      deadLetters: queues[deadLetters.local],
      target: queues[target.local],
    }),
    deliveriesUrl: async () => queues.deliveries,
    tables: async () => ({ keys: tables.keys, history: tables.history }),
  };
}

/**
 * Nobody changes prod with a command that was meant for another stage.
 *
 * @throws ExplainedError unless its name has been typed once more
 */
export function confirmed(
  command: string,
  wish: { stage: string; yes: boolean; confirm?: string | undefined },
): void {
  if (wish.yes && STAGES[wish.stage as keyof typeof STAGES].keepsData && wish.confirm !== wish.stage) {
    throw new ExplainedError(
      `${wish.stage} holds real payments. Look at it without --yes first; then say its name once more: ` +
        `npm run ${command} -- … --stage ${wish.stage} --yes --confirm ${wish.stage}`,
    );
  }
}
