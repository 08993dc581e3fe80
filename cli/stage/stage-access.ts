import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { operatorsTrailTable } from '../../functions/adapters/dynamodb/api/operators-trail-table.ts';
import { type OperationalBus, operationalBus } from '../../functions/adapters/eventbridge/operational-bus.ts';
import { kmsClient } from '../../functions/adapters/kms/kms-client.ts';
import { kmsSeal } from '../../functions/adapters/kms/kms-sealing.ts';
import type { Seal } from '../../functions/adapters/kms/sealing.ts';
import type { Operators } from '../../functions/api/stage/recorded.ts';
import type { DeploymentSettings } from '../../lib/recorded-deployment.ts';
import { bus, type PutEvents } from '../publisher/publish.ts';
import type { ChosenDeployment } from './chosen-deployment.ts';
import type { LocalOutputs } from './local-outputs.ts';
import { onEmulator, type ReachedDeployment, reachedDeployment } from './reached-deployment.ts';

/**
 * A stage as an operator reaches it: the local one, or a deployed one by their AWS credentials. What is read
 * of its record throws an ExplainedError when it is not there.
 */
export interface StageAccess {
  readonly settings: DeploymentSettings;
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
  queueUrl(queue: PipelineQueue): Promise<string>;
  /** Whether a worker does not read its queue. */
  isStopped(worker: Worker): Promise<boolean>;
  /** Where operational events are published. */
  bus(): Promise<OperationalBus>;
  /** Where payment events are published, on the same bus. */
  paymentBus(): Promise<PutEvents>;
  /** URL of the HTTP API, without a final slash. */
  apiUrl(): Promise<string>;
  /** Names of tables. */
  tables(): Promise<Readonly<Record<OperatedTable, string>>>;
  /** The ARN of the key that seals signing secrets. */
  secretsKey(): Promise<string>;
  /** Seals with it. */
  seal(): Promise<Seal>;
  /** The audit trail of operators, and who this one is. */
  operators(): Promise<Operators>;
}

/** As the pipeline's record calls it. */
export type PipelineQueue =
  | 'EventsQueueUrl'
  | 'EventsDeadLettersUrl'
  | 'DeliveriesQueueUrl'
  | 'DeliveriesDeadLettersUrl'
  | 'RetryTimersUrl'
  | 'RetryTimersDeadLettersUrl'
  | 'RuleDeadLettersUrl';

const WORKERS = { match: 'EventsQueueUrl', deliver: 'DeliveriesQueueUrl' } as const;
export type Worker = keyof typeof WORKERS;

export type OperatedTable = Exclude<keyof LocalOutputs['tables'], 'receiver'>;
const TABLES: readonly OperatedTable[] = [
  ...(['subscriptions', 'signingSecrets', 'apiTokens', 'history', 'statistics', 'orderingKeys'] as const),
  ...(['sequences', 'idempotency', 'audit'] as const),
];

/** @throws ExplainedError when there is no such deployment, or the local stack does not run */
export async function stageAccess(chosen: ChosenDeployment): Promise<StageAccess> {
  return accessTo(await reachedDeployment(chosen));
}

/** @param config of its clients. @default - the account's root */
export async function localAccess(outputs: LocalOutputs, config?: object): Promise<StageAccess> {
  return accessTo(await onEmulator(outputs, config));
}

function accessTo({ config, settings, value, apiUrl, who }: ReachedDeployment): StageAccess {
  const dynamodb = new DynamoDBClient(config);
  const sqs = new SQSClient(config);
  const events = new EventBridgeClient(config);
  const queueUrl = (queue: PipelineQueue) => value('pipeline', queue);
  const busName = () => value('pipeline', 'BusName');
  const secretsKey = () => value('data', 'SigningSecretsKeyArn');
  const table = (name: OperatedTable) =>
    value('data', `${name.charAt(0).toUpperCase()}${name.slice(1)}TableName`);
  return {
    settings,
    sqs,
    dynamodb,
    queueUrl,
    apiUrl,
    async isStopped(worker) {
      const QueueUrl = await queueUrl(WORKERS[worker]);
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
    secretsKey,
    async seal() {
      const arn = await secretsKey();
      const credentials = await dynamodb.config.credentials();
      const { endpoint } = config as { readonly endpoint?: string };
      return kmsSeal(kmsClient({ region: arn.split(':')[3] ?? '', credentials, endpoint }), arn);
    },
    operators: async () => ({
      trail: operatorsTrailTable(dynamodb, await table('audit')),
      who: await who(),
    }),
  };
}
