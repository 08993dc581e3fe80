import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { addressGuard } from '../adapters/address-guard.ts';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { historyReader } from '../adapters/history-reader.ts';
import { subscriptionRegistry } from '../adapters/subscription-registry.ts';
import { parseCallbackUrlRules } from '../core/callback-url.ts';
import { logger } from '../shared/logger.ts';
import { readEnv } from '../shared/read-env.ts';
import { callbackUrlGuard } from './callback-url-guard.ts';
import { API_ENV } from './env.ts';
import { partnerApi } from './partner-api.ts';

const env = readEnv(API_ENV, process.env);
const client = new DynamoDBClient(AWS_CLIENT_CONFIG);
const rules = parseCallbackUrlRules(env.CALLBACK_URL_RULES);

export const handler = partnerApi(
  {
    subscriptions: subscriptionRegistry(client, {
      subscriptions: env.SUBSCRIPTIONS_TABLE,
      signingSecrets: env.SIGNING_SECRETS_TABLE,
    }),
    history: historyReader(client, env.HISTORY_TABLE),
    callbackUrls: callbackUrlGuard(rules, addressGuard(rules)),
  },
  logger,
);
