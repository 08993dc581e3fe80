import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { type OperationalBus, operationalBus } from '../../functions/adapters/eventbridge/operational-bus.ts';
import { STAGES } from '../../lib/stages.ts';
import { clientConfig } from '../../local/local-account.ts';
import { type LocalOutputs, readOutputs } from '../../local/outputs.ts';
import type { Operators } from '../operator/audit/operators-trail.ts';
import { operatorsTrailTable } from '../operator/audit/operators-trail-table.ts';
import type { DeadLetterQueue } from '../operator/redrive/dead-letter-queues.ts';
import { stackOutput } from './stack-output.ts';
import { inRegionOf } from './stage-region.ts';

/** A stage as an operator reaches it: the local one, or a deployed one by their AWS credentials. */
export interface StageAccess {
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
  /** @throws ExplainedError when the stack has no such output */
  deadLetterUrls(queue: DeadLetterQueue): Promise<{ readonly deadLetters: string; readonly target: string }>;
  deliveriesUrl(): Promise<string>;
  retryTimersUrl(): Promise<string>;
  /** Whether nothing reads the deliveries queue. */
  deliveriesStopped(): Promise<boolean>;
  /** Where operational events are published. */
  bus(): Promise<OperationalBus>;
  /** Names of tables. */
  tables(): Promise<Readonly<Record<OperatedTable, string>>>;
  /** The audit trail of operators, and who this one is. */
  operators(): Promise<Operators>;
}

/** Each table, by its output of the data stack without `TableName`. */
const TABLE_OUTPUTS = {
  subscriptions: 'Subscriptions',
  signingSecrets: 'SigningSecrets',
  apiTokens: 'ApiTokens',
  history: 'History',
  statistics: 'Statistics',
  keys: 'Keys',
  sequences: 'Sequences',
  idempotency: 'Idempotency',
  audit: 'Audit',
} as const;
export type OperatedTable = keyof typeof TABLE_OUTPUTS;

export const STAGE_NAMES = Object.keys(STAGES);

/** @throws ExplainedError when the local stack does not run */
export async function stageAccess(stage: string): Promise<StageAccess> {
  if (stage === 'local') {
    return localAccess(await readOutputs());
  }
  const pipeline = (output: string) => stackOutput(stage, 'pipeline', output);
  const config = inRegionOf(stage);
  const dynamodb = new DynamoDBClient(config);
  const sqs = new SQSClient(config);
  return {
    sqs,
    dynamodb,
    deadLetterUrls: async ({ deadLetters, target }) => ({
      deadLetters: await pipeline(deadLetters.stack),
      target: await pipeline(target.stack),
    }),
    deliveriesUrl: () => pipeline('DeliveriesQueueUrl'),
    retryTimersUrl: () => pipeline('RetryTimersUrl'),
    deliveriesStopped: async () =>
      isStopped(sqs, new LambdaClient(config), await pipeline('DeliveriesQueueUrl')),
    bus: async () => operationalBus(new EventBridgeClient(config), await pipeline('BusName')),
    tables: async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(TABLE_OUTPUTS).map(async ([name, output]) => [
            name,
            await stackOutput(stage, 'data', `${output}TableName`),
          ]),
        ),
      ),
    operators: async () => {
      const audit = await stackOutput(stage, 'data', 'AuditTableName');
      const { Arn } = await new STSClient(config).send(new GetCallerIdentityCommand());
      return { trail: operatorsTrailTable(dynamodb, audit), who: Arn ?? 'unknown' };
    },
  };
}

export function localAccess({ endpoint, queues, tables, busName }: LocalOutputs): StageAccess {
  const config = clientConfig(endpoint);
  const dynamodb = new DynamoDBClient(config);
  const sqs = new SQSClient(config);
  return {
    sqs,
    dynamodb,
    deadLetterUrls: async ({ deadLetters, target }) => ({
      deadLetters: queues[deadLetters.local],
      target: queues[target.local],
    }),
    deliveriesUrl: async () => queues.deliveries,
    retryTimersUrl: async () => queues.retryTimers,
    deliveriesStopped: () => isStopped(sqs, new LambdaClient(config), queues.deliveries),
    bus: async () => operationalBus(new EventBridgeClient(config), busName),
    tables: async () => tables,
    operators: async () => ({ trail: operatorsTrailTable(dynamodb, tables.audit), who: 'local' }),
  };
}

async function isStopped(sqs: SQSClient, lambda: LambdaClient, QueueUrl: string): Promise<boolean> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  const EventSourceArn = Attributes?.QueueArn;
  const { EventSourceMappings = [] } = await lambda.send(
    new ListEventSourceMappingsCommand({ EventSourceArn }),
  );
  return EventSourceMappings.every(({ State }) => State === 'Disabled');
}
