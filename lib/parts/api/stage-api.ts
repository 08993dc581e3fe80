import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { EXCHANGE_ATTRIBUTES } from '../../../functions/adapters/dynamodb/api/session-items.ts';
import { COURSE_ATTRIBUTES } from '../../../functions/adapters/dynamodb/history/payment-reader.ts';
import {
  apiTokensTable,
  historyTable,
  orderingKeysTable,
  STAGE_PREFIX,
  subscriptionsTable,
} from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { StageApiEnv } from '../../../functions/api/stage/env.ts';
import type { WatchedQueue } from '../../../functions/api/stage/watched-queues.ts';
import type { StageLinkEnv } from '../../../functions/api/stage-link/env.ts';
import type { StageRights } from '../../../functions/core/api/stage/stage-rights.ts';
import { deliveryPolicyJson } from '../../../functions/core/attempt/delivery-policy.ts';
import {
  CIRCUIT_ONLY,
  itemsBeginningWith,
  OPERATORS_TRAIL,
  onlyAttributes,
  writesOnly,
} from '../../constructs/data/table-conditions.ts';
import { indexesOf, ServiceFunction } from '../../constructs/functions/service-function.ts';
import { grantOperationalEvents } from '../../constructs/operational-events.ts';
import type { Settings } from '../../settings.ts';
import type { Data } from '../data.ts';
import type { Pipeline } from '../pipeline.ts';

interface StageFunctionProps {
  readonly settings: Settings;
  readonly data: Data;
  readonly pipeline: Pipeline;
  /** Of the archive; undefined where there is none. */
  readonly archiveDeadLetters: Queue | undefined;
}

/** The attributes of the keys. */
const NAMES = [subscriptionsTable.partitionKey, subscriptionsTable.sortKey];

const ofSessions = itemsBeginningWith(STAGE_PREFIX);

/**
 * Answers what concerns the whole stage. A function of its own: neither it nor the api for partners has the
 * rights of the other. It reads indexes without bodies and answers, and no secret.
 */
export function stageApiFunction(scope: Construct, props: StageFunctionProps): ServiceFunction {
  const { settings, data, pipeline } = props;
  const queues = queuesOf(props);
  const stageApi = new ServiceFunction(scope, 'StageApi', {
    settings,
    name: 'stage-api',
    description: 'Answers the people who run the stage: endpoints in trouble, queues, circuits',
    timeout: Duration.seconds(20),
    memorySizeMiB: 1_024,
    environment: {
      SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
      HISTORY_TABLE: data.history.tableName,
      STATISTICS_TABLE: data.statistics.tableName,
      ORDERING_KEYS_TABLE: data.orderingKeys.tableName,
      AUDIT_TABLE: data.audit.tableName,
      API_TOKENS_TABLE: data.apiTokens.tableName,
      RETRY_TIMERS_URL: pipeline.retryTimers.queue.queueUrl,
      BUS_NAME: pipeline.bus.eventBusName,
      DELIVERY_POLICY: deliveryPolicyJson(settings.deliveryPolicy),
      QUEUES: Stack.of(scope).toJsonString(
        Object.fromEntries(Object.entries(queues).map(([runbook, { queueName }]) => [runbook, queueName])),
      ),
      STAGE: settings.name,
      ACCOUNT: Stack.of(scope).account,
    } satisfies StageApiEnv,
  });
  const { bySubscription, undelivered } = historyTable;
  const { backlog, due, stuck } = orderingKeysTable;
  stageApi.allow(
    ['dynamodb:Query'],
    ...indexesOf(data.subscriptions, subscriptionsTable.due),
    ...indexesOf(data.history, bySubscription, undelivered),
    ...indexesOf(data.orderingKeys, backlog, due, stuck),
  );
  // What happened to a payment, without bodies and answers.
  stageApi.allowTableIf(onlyAttributes(COURSE_ATTRIBUTES), data.history, 'Query');
  stageApi.allowTable(data.subscriptions, 'GetItem');
  // The names of services and of their subscriptions, and what is counted for each.
  stageApi.allowTableIf(onlyAttributes(NAMES), data.subscriptions, 'Query');
  stageApi.allowTable(data.statistics, 'Query');
  // It operates circuits. It cannot change where webhooks are sent, nor anything else that a partner has set.
  stageApi.allowTableIf(CIRCUIT_ONLY, data.subscriptions, 'UpdateItem');
  stageApi.allow(['sqs:GetQueueAttributes'], ...Object.values(queues).map(({ queueArn }) => queueArn));
  pipeline.retryTimers.grantArm(stageApi);
  grantOperationalEvents(pipeline.bus, stageApi);
  data.allowDataKey(stageApi, { tables: 'writing', queues: 'sending' });
  stageApi.allow(['cloudwatch:GetMetricData'], '*');
  Validations.of(stageApi.role ?? stageApi).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'Metrics have no resources to grant on. They hold numbers only.',
  });
  stageApi.allowTableIf(ofSessions, data.apiTokens, 'GetItem');
  // It exchanges and ends sessions; it cannot make one, nor change what one may do.
  const exchanging = writesOnly(apiTokensTable.partitionKey, ...EXCHANGE_ATTRIBUTES);
  stageApi.allowTableIf({ ...ofSessions, ...exchanging }, data.apiTokens, 'UpdateItem');
  // What a partner sees of a changed circuit lies in the partner's trail.
  stageApi.allowTable(data.audit, 'PutItem');
  stageApi.allowTableIf(OPERATORS_TRAIL, data.audit, 'UpdateItem');
  return stageApi;
}

/** Makes links with these rights for whoever may invoke it: IAM decides. */
export function stageLinkFunction(
  scope: Construct,
  id: string,
  rights: StageRights,
  { settings, data }: Pick<StageFunctionProps, 'settings' | 'data'>,
): ServiceFunction {
  const stageLink = new ServiceFunction(scope, id, {
    settings,
    name: `${rights}-link`,
    description: `Makes links to the console for the whole stage, with the rights: ${rights}`,
    timeout: Duration.seconds(10),
    memorySizeMiB: 512,
    environment: {
      API_TOKENS_TABLE: data.apiTokens.tableName,
      AUDIT_TABLE: data.audit.tableName,
      RIGHTS: rights,
    } satisfies StageLinkEnv,
  });
  stageLink.allowTableIf(ofSessions, data.apiTokens, 'GetItem', 'PutItem', 'UpdateItem');
  stageLink.allowTableIf(OPERATORS_TRAIL, data.audit, 'PutItem', 'UpdateItem');
  return stageLink;
}

function queuesOf({
  pipeline,
  archiveDeadLetters,
}: StageFunctionProps): Readonly<Partial<Record<WatchedQueue, Queue>>> {
  const { events, deliveries, retryTimers, outcomes, rules, unclaimed } = pipeline;
  return {
    'events-oldest': events.queue,
    'deliveries-oldest': deliveries.queue,
    'retry-timers-oldest': retryTimers.queue,
    'rule-dead-letters': rules.deadLetters,
    'events-dead-letters': events.deadLetters,
    'deliveries-dead-letters': deliveries.deadLetters,
    'retry-timers-dead-letters': retryTimers.deadLetters,
    'statistics-dead-letters': outcomes.deadLetters,
    ...(archiveDeadLetters === undefined ? {} : { 'archive-dead-letters': archiveDeadLetters }),
    'events-unclaimed': unclaimed.queue,
  };
}
