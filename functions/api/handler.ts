import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { auditTrailTable } from '../adapters/dynamodb/api/audit-table.ts';
import { idempotencyStore } from '../adapters/dynamodb/api/idempotency-table.ts';
import { portalSessionTable } from '../adapters/dynamodb/api/portal-session-table.ts';
import { historyReader } from '../adapters/dynamodb/history/history-reader.ts';
import { recoveryTable } from '../adapters/dynamodb/history/recovery-table.ts';
import { statisticsTable } from '../adapters/dynamodb/history/statistics-table.ts';
import { noticeBookReader } from '../adapters/dynamodb/notices/notice-book-reader.ts';
import { stageKeyReader } from '../adapters/dynamodb/secrets/stage-key-table.ts';
import { progressReader } from '../adapters/dynamodb/sequences/progress-reader.ts';
import { pingCount } from '../adapters/dynamodb/subscriptions/period-count.ts';
import { subscriptionRegistry } from '../adapters/dynamodb/subscriptions/subscription-registry.ts';
import { operationalBus } from '../adapters/eventbridge/operational-bus.ts';
import { addressGuard } from '../adapters/http/address-guard.ts';
import { networkOf } from '../adapters/http/test-network.ts';
import { kmsOnLambda } from '../adapters/kms/kms-client.ts';
import { kmsSeal } from '../adapters/kms/kms-sealing.ts';
import { messageSender } from '../adapters/sqs/message-sender.ts';
import { signalQueue } from '../adapters/sqs/signal-queues.ts';
import { timerQueue } from '../adapters/sqs/timer-queue.ts';
import { parseDeliveryPolicy } from '../core/attempt/delivery-policy.ts';
import { eventsOfChange } from '../core/operational-events/operational-events-of.ts';
import { remembered } from '../core/statistics/statistics-store.ts';
import { parseCallbackUrlRules } from '../core/subscription/callback-url.ts';
import { catalogueBeside } from '../runtime/catalogue-file.ts';
import { readEnv } from '../runtime/read-env.ts';
import { rememberedFor } from '../runtime/remembered-for.ts';
import { logger } from '../telemetry/logger.ts';
import { publishMetrics } from '../telemetry/metrics.ts';
import { operationalEvents } from '../telemetry/operational-events.ts';
import { callbackUrlGuard } from './callback-url-guard.ts';
import { API_ENV } from './env.ts';
import { partnerApi } from './partner-api.ts';

/** Anybody may ask, as often as the route's throttle lets them. */
const KEY_SET_REMEMBERED_MS = 60_000;

const env = readEnv(API_ENV, process.env);
const client = new DynamoDBClient(AWS_CLIENT_CONFIG);
const rules = parseCallbackUrlRules(env.CALLBACK_URL_RULES);
const policy = parseDeliveryPolicy(env.DELIVERY_POLICY);
const now = Date.now;
const sqs = new SQSClient(AWS_CLIENT_CONFIG);
const arm = timerQueue(sqs, env.RETRY_TIMERS_URL, now);
const bus = operationalBus(new EventBridgeClient(AWS_CLIENT_CONFIG), env.BUS_NAME);

const stageKeys = stageKeyReader(client, env.SUBSCRIPTIONS_TABLE);

const answer = partnerApi(
  {
    stageKeys,
    keySet: rememberedFor(KEY_SET_REMEMBERED_MS, stageKeys, now),
    catalogue: catalogueBeside(import.meta.dirname),
    subscriptions: subscriptionRegistry(client, {
      tables: { subscriptions: env.SUBSCRIPTIONS_TABLE, signingSecrets: env.SIGNING_SECRETS_TABLE },
      graceMs: policy.graceMs,
      seal: kmsSeal(kmsOnLambda(process.env), env.SIGNING_SECRETS_KEY),
      now,
    }),
    history: historyReader(client, env.HISTORY_TABLE),
    progress: progressReader(client, env.SEQUENCES_TABLE),
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
    portalSessions: portalSessionTable(client, env.API_TOKENS_TABLE),
    notices: noticeBookReader(client, env.SUBSCRIPTIONS_TABLE),
    callbackUrls: callbackUrlGuard(
      rules,
      addressGuard({
        ...networkOf(process.env),
        allowLoopback: rules.allowLoopback,
        onRefused: (host, reason) => logger.warn('address.refused', { host, reason }),
      }),
    ),
    signal: signalQueue(sqs, env.DELIVERIES_QUEUE_URL, (error) =>
      logger.error('api.signal_lost', { error: error as Error }),
    ),
    send: messageSender(sqs, env.DELIVERIES_QUEUE_URL, (error) => logger.error('api.message_lost', error)),
    countPing: pingCount(client, { table: env.SUBSCRIPTIONS_TABLE, now }),
    // The change is already written, so an error would only make the partner repeat it. `sweep` arms the
    // timer later.
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
