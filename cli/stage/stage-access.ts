import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { operatorsTrailTable } from '../../functions/adapters/dynamodb/api/operators-trail-table.ts';
import { type OperationalBus, operationalBus } from '../../functions/adapters/eventbridge/operational-bus.ts';
import type { Operators } from '../../functions/api/stage/recorded.ts';
import { STAGES } from '../../payhooks.config.ts';
import { bus, type PutEvents } from '../publisher/publish.ts';
import { clientConfig } from './local-account.ts';
import { type LocalOutputs, readOutputs } from './local-outputs.ts';
import { stackOutput } from './stack-output.ts';
import { inRegionOf } from './stage-region.ts';

/**
 * A stage as an operator reaches it: the local one, or a deployed one by their AWS credentials. What is read
 * of its stacks throws an ExplainedError when a stack has no such output.
 */
export interface StageAccess {
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
  /** @param output of the pipeline stack */
  queueUrl(output: QueueOutput): Promise<string>;
  /** Whether a worker does not read its queue. */
  isStopped(worker: Worker): Promise<boolean>;
  /** Where operational events are published. */
  bus(): Promise<OperationalBus>;
  /** Where payment events are published, on the same bus. */
  paymentBus(): Promise<PutEvents>;
  /** Names of tables. */
  tables(): Promise<Readonly<Record<OperatedTable, string>>>;
  /** The audit trail of operators, and who this one is. */
  operators(): Promise<Operators>;
}

/** Outputs of the pipeline stack: the local stage's file has them without `Url` or `QueueUrl`. */
const LOCAL_QUEUES = {
  EventsQueueUrl: 'events',
  EventsDeadLettersUrl: 'eventsDeadLetters',
  DeliveriesQueueUrl: 'deliveries',
  DeliveriesDeadLettersUrl: 'deliveriesDeadLetters',
  RetryTimersUrl: 'retryTimers',
  RetryTimersDeadLettersUrl: 'retryTimersDeadLetters',
  RuleDeadLettersUrl: 'ruleDeadLetters',
} as const;
export type QueueOutput = keyof typeof LOCAL_QUEUES;

const WORKERS = { match: 'EventsQueueUrl', deliver: 'DeliveriesQueueUrl' } as const;
export type Worker = keyof typeof WORKERS;

export type OperatedTable = Exclude<keyof LocalOutputs['tables'], 'receiver'>;
const TABLES: readonly OperatedTable[] = [
  ...(['subscriptions', 'signingSecrets', 'apiTokens', 'history', 'statistics', 'orderingKeys'] as const),
  ...(['sequences', 'idempotency', 'audit'] as const),
];

export const STAGE_NAMES = Object.keys(STAGES);

/** @throws ExplainedError when the local stack does not run */
export async function stageAccess(stage: string): Promise<StageAccess> {
  if (stage === 'local') {
    return localAccess(await readOutputs());
  }
  const config = inRegionOf(stage);
  return accessTo(config, {
    queue: (output) => stackOutput(stage, 'pipeline', output),
    busName: () => stackOutput(stage, 'pipeline', 'BusName'),
    table: (name) => stackOutput(stage, 'data', `${name.charAt(0).toUpperCase()}${name.slice(1)}TableName`),
    async who() {
      const { Arn = 'unknown' } = await new STSClient(config).send(new GetCallerIdentityCommand());
      return Arn;
    },
  });
}

/** @param config of its clients. @default - the account's root */
export function localAccess(
  { endpoint, queues, tables, busName }: LocalOutputs,
  config: object = clientConfig(endpoint),
): StageAccess {
  return accessTo(config, {
    queue: async (output) => queues[LOCAL_QUEUES[output]],
    busName: async () => busName,
    table: async (name) => tables[name],
    who: async () => 'local',
  });
}

interface Outputs {
  queue(output: QueueOutput): Promise<string>;
  busName(): Promise<string>;
  table(name: OperatedTable): Promise<string>;
  who(): Promise<string>;
}

function accessTo(config: object, { queue, busName, table, who }: Outputs): StageAccess {
  const dynamodb = new DynamoDBClient(config);
  const sqs = new SQSClient(config);
  const events = new EventBridgeClient(config);
  return {
    sqs,
    dynamodb,
    queueUrl: queue,
    async isStopped(worker) {
      const QueueUrl = await queue(WORKERS[worker]);
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
      );
      const { EventSourceMappings = [] } = await new LambdaClient(config).send(
        new ListEventSourceMappingsCommand({ EventSourceArn: Attributes?.QueueArn }),
      );
      return EventSourceMappings.every(({ State }) => State === 'Disabled');
    },
    bus: async () => operationalBus(events, await busName()),
    paymentBus: async () => bus(events, await busName()),
    tables: async () =>
      Object.fromEntries(await Promise.all(TABLES.map(async (name) => [name, await table(name)]))),
    operators: async () => ({
      trail: operatorsTrailTable(dynamodb, await table('audit')),
      who: await who(),
    }),
  };
}
