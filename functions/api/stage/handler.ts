import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { stageFigures } from '../../adapters/dynamodb/analysis/stage-figures.ts';
import { operatorsTrailTable } from '../../adapters/dynamodb/api/operators-trail-table.ts';
import { stageSessionTable } from '../../adapters/dynamodb/api/stage-session-table.ts';
import { backlogReader } from '../../adapters/dynamodb/ordering-keys/backlog.ts';
import { waitingCounter } from '../../adapters/dynamodb/ordering-keys/waiting-counter.ts';
import { waitingItems } from '../../adapters/dynamodb/ordering-keys/waiting-items.ts';
import { endpointHealthWriter } from '../../adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { subscriptionReader } from '../../adapters/dynamodb/subscriptions/subscription-reader.ts';
import { circuitsNotClosed } from '../../adapters/dynamodb/trouble/circuits-not-closed.ts';
import { endpointAttempts } from '../../adapters/dynamodb/trouble/endpoint-attempts.ts';
import { waitingPayments } from '../../adapters/dynamodb/trouble/waiting-payments.ts';
import { operationalBus } from '../../adapters/eventbridge/operational-bus.ts';
import { timerQueue } from '../../adapters/sqs/timer-queue.ts';
import { parseDeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { troubled } from '../../core/trouble/troubled.ts';
import { waitingNow } from '../../pipeline/sweep/measure.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { rememberedFor } from '../../runtime/remembered-for.ts';
import { logger } from '../../telemetry/logger.ts';
import { METRIC_NAMESPACE } from '../../telemetry/metric-names.ts';
import { operationalEvents } from '../../telemetry/operational-events.ts';
import { handlerOf, operationsApi } from '../operations-api.ts';
import { parseQueues, STAGE_API_ENV } from './env.ts';
import { lookAtQueues } from './look-at-queues.ts';
import { STAGE_OPERATIONS } from './stage-operations.ts';
import { lookedAt } from './watched-queues.ts';

/** Several people look at the same screen during an incident; each look costs hundreds of read units. */
const REMEMBERED_MS = 10_000;

const env = readEnv(STAGE_API_ENV, process.env);
const policy = parseDeliveryPolicy(env.DELIVERY_POLICY);
const dynamodb = new DynamoDBClient(AWS_CLIENT_CONFIG);
const sqs = new SQSClient(AWS_CLIENT_CONFIG);
const now = Date.now;
const warn = (text: string) => logger.warn('stage.warned', { text });

const subscription = subscriptionReader(dynamodb, env.SUBSCRIPTIONS_TABLE);
const circuits = {
  notClosed: () => circuitsNotClosed(dynamodb, env.SUBSCRIPTIONS_TABLE),
  seen: (name: Parameters<typeof subscription>[0]) => subscription(name).catch((error: Error) => error),
  waiting: waitingCounter(dynamodb, env.HISTORY_TABLE),
};
const looks = new Map<number, () => ReturnType<typeof troubled>>();
const look = (limit: number) => async () =>
  troubled(
    {
      circuits,
      attempts: endpointAttempts(dynamodb, env.HISTORY_TABLE),
      payments: await waitingPayments(dynamodb, env.ORDERING_KEYS_TABLE, policy, now()),
    },
    limit,
  );
const { backlog } = backlogReader(dynamodb, env.ORDERING_KEYS_TABLE, ({ message }) => warn(message));
const events = operationalEvents(operationalBus(new EventBridgeClient(AWS_CLIENT_CONFIG), env.BUS_NAME));
const tables = { orderingKeys: env.ORDERING_KEYS_TABLE, subscriptions: env.SUBSCRIPTIONS_TABLE };

const figureTables = {
  subscriptions: env.SUBSCRIPTIONS_TABLE,
  statistics: env.STATISTICS_TABLE,
  history: env.HISTORY_TABLE,
};

const writeHealth = endpointHealthWriter(dynamodb, {
  table: env.SUBSCRIPTIONS_TABLE,
  graceMs: policy.graceMs,
});

const answer = operationsApi(
  STAGE_OPERATIONS,
  {
    sessions: stageSessionTable(dynamodb, env.API_TOKENS_TABLE),
    operators: operatorsTrailTable(dynamodb, env.AUDIT_TABLE),
    subscription,
    async changeEndpointHealth(...change) {
      const changed = await writeHealth(...change);
      // Whoever has just operated a circuit looks whether it helped.
      looks.clear();
      return changed;
    },
    troubled(limit) {
      const known = looks.get(limit) ?? rememberedFor(REMEMBERED_MS, look(limit), now);
      looks.set(limit, known);
      return known();
    },
    isBacklogEmpty: async (id) => (await backlog(id, 1)).length === 0,
    waits: rememberedFor(REMEMBERED_MS, () => waitingNow({ ...waitingItems(dynamodb, tables), now }), now),
    queues: rememberedFor(
      REMEMBERED_MS,
      () =>
        lookAtQueues(lookedAt(parseQueues(env.QUEUES), env.RETRY_TIMERS_URL), {
          sqs,
          cloudWatch: new CloudWatchClient(AWS_CLIENT_CONFIG),
          metricNamespace: process.env.POWERTOOLS_METRICS_NAMESPACE ?? METRIC_NAMESPACE,
          now,
          warn,
        }),
      now,
    ),
    figures: () => stageFigures(dynamodb, figureTables),
    arm: timerQueue(sqs, env.RETRY_TIMERS_URL, now),
    async tell(changes) {
      events.collect(changes);
      await events.tell();
    },
    warn,
    policy,
    deployment: { name: env.STAGE, account: env.ACCOUNT },
    now,
  },
  logger,
);

export const handler = handlerOf(answer);
