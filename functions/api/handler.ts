import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { addressGuard } from '../adapters/address-guard.ts';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { historyReader } from '../adapters/history-reader.ts';
import { subscriptionRegistry } from '../adapters/subscription-registry.ts';
import { timerQueue } from '../adapters/timer-queue.ts';
import { parseCallbackUrlRules } from '../core/callback-url.ts';
import { deliveryPolicySchema } from '../core/delivery-policy.ts';
import { logger } from '../shared/logger.ts';
import { readEnv } from '../shared/read-env.ts';
import { callbackUrlGuard } from './callback-url-guard.ts';
import { API_ENV } from './env.ts';
import { partnerApi } from './partner-api.ts';

const env = readEnv(API_ENV, process.env);
const client = new DynamoDBClient(AWS_CLIENT_CONFIG);
const rules = parseCallbackUrlRules(env.CALLBACK_URL_RULES);
const policy = deliveryPolicySchema.parse(JSON.parse(env.DELIVERY_POLICY));
const now = Date.now;
const arm = timerQueue(new SQSClient(AWS_CLIENT_CONFIG), env.RETRY_TIMERS_URL, now);

export const handler = partnerApi(
  {
    subscriptions: subscriptionRegistry(client, {
      tables: { subscriptions: env.SUBSCRIPTIONS_TABLE, signingSecrets: env.SIGNING_SECRETS_TABLE },
      graceMs: policy.graceMs,
      now,
    }),
    history: historyReader(client, env.HISTORY_TABLE),
    callbackUrls: callbackUrlGuard(rules, addressGuard(rules)),
    // The partner's wish is written by now: to ask for it again would help nobody.
    arm: (armings) => arm(armings).catch((error: Error) => logger.warn('api.timer_lost', error)),
    policy,
    now,
  },
  logger,
);
