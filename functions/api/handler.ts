import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { addressGuard } from '../adapters/address-guard.ts';
import { auditTrailTable } from '../adapters/audit-table.ts';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { hintQueue } from '../adapters/hint-queue.ts';
import { historyReader } from '../adapters/history-reader.ts';
import { idempotencyStore } from '../adapters/idempotency-table.ts';
import { messageSender } from '../adapters/message-sender.ts';
import { operationalBus } from '../adapters/operational-bus.ts';
import { pingCount } from '../adapters/ping-count.ts';
import { recoveryTable } from '../adapters/recovery-table.ts';
import { statisticsTable } from '../adapters/statistics-table.ts';
import { subscriptionRegistry } from '../adapters/subscription-registry.ts';
import { networkOf } from '../adapters/test-network.ts';
import { timerQueue } from '../adapters/timer-queue.ts';
import { parseCallbackUrlRules } from '../core/callback-url.ts';
import { deliveryPolicySchema } from '../core/delivery-policy.ts';
import { eventsOfChange } from '../core/operational-events-of.ts';
import { logger } from '../shared/logger.ts';
import { publishMetrics } from '../shared/metrics.ts';
import { operationalEvents } from '../shared/operational-events.ts';
import { readEnv } from '../shared/read-env.ts';
import { callbackUrlGuard } from './callback-url-guard.ts';
import { API_ENV } from './env.ts';
import { partnerApi } from './partner-api.ts';
import { remembered } from './statistics.ts';

const env = readEnv(API_ENV, process.env);
const client = new DynamoDBClient(AWS_CLIENT_CONFIG);
const rules = parseCallbackUrlRules(env.CALLBACK_URL_RULES);
const policy = deliveryPolicySchema.parse(JSON.parse(env.DELIVERY_POLICY));
const now = Date.now;
const sqs = new SQSClient(AWS_CLIENT_CONFIG);
const arm = timerQueue(sqs, env.RETRY_TIMERS_URL, now);
const bus = operationalBus(new EventBridgeClient(AWS_CLIENT_CONFIG), env.BUS_NAME);

const answer = partnerApi(
  {
    subscriptions: subscriptionRegistry(client, {
      tables: { subscriptions: env.SUBSCRIPTIONS_TABLE, signingSecrets: env.SIGNING_SECRETS_TABLE },
      graceMs: policy.graceMs,
      now,
    }),
    history: historyReader(client, env.HISTORY_TABLE),
    recoveries: recoveryTable(client, { ...policy, table: env.SUBSCRIPTIONS_TABLE, now }),
    statistics: remembered(
      statisticsTable(client, { statistics: env.STATISTICS_TABLE, history: env.HISTORY_TABLE }),
      now,
    ),
    idempotency: idempotencyStore(client, {
      table: env.IDEMPOTENCY_TABLE,
      lost: (error) => logger.error('api.answer_not_remembered', error),
    }),
    audit: auditTrailTable(client, env.AUDIT_TABLE),
    callbackUrls: callbackUrlGuard(
      rules,
      addressGuard({
        ...networkOf(process.env),
        allowLoopback: rules.allowLoopback,
        onRefused: (host, reason) => logger.warn('address.refused', { host, reason }),
      }),
    ),
    hint: hintQueue(sqs, env.DELIVERIES_QUEUE_URL, (error) =>
      logger.error('api.hint_lost', { error: error as Error }),
    ),
    send: messageSender(sqs, env.DELIVERIES_QUEUE_URL, (error) => logger.error('api.message_lost', error)),
    countPing: pingCount(client, { table: env.SUBSCRIPTIONS_TABLE, now }),
    // The partner's wish is written by now: to ask for it again would help nobody.
    arm: (armings) => arm(armings).catch((error: Error) => logger.warn('api.timer_lost', error)),
    policy,
    now,
  },
  logger,
);

export const handler = async (
  event: APIGatewayProxyEventV2,
  context: Context,
): Promise<APIGatewayProxyStructuredResultV2> => {
  const events = operationalEvents(bus);
  try {
    return await answer(event, context, (subscription, { before, after }) =>
      events.collect(eventsOfChange(subscription, before, after, now())),
    );
  } finally {
    await events.tell();
    publishMetrics();
  }
};
