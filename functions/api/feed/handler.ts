import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { deliveryReader } from '../../adapters/dynamodb/history/delivery-reader.ts';
import { backlogReader } from '../../adapters/dynamodb/ordering-keys/backlog.ts';
import { leaseEnder } from '../../adapters/dynamodb/ordering-keys/lease-ender.ts';
import { leaseTable } from '../../adapters/dynamodb/ordering-keys/lease-table.ts';
import { orderingKeyReader } from '../../adapters/dynamodb/ordering-keys/ordering-key-reader.ts';
import { expiryExtender } from '../../adapters/dynamodb/subscriptions/expiry.ts';
import { kmsOnLambda } from '../../adapters/kms/kms-client.ts';
import { kmsOpen, openOnce } from '../../adapters/kms/kms-sealing.ts';
import { signalQueue } from '../../adapters/sqs/signal-queues.ts';
import { parseDeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { logger } from '../../telemetry/logger.ts';
import { handlerOf, operationsApi } from '../operations-api.ts';
import { FEED_ENV } from './env.ts';
import { FEED_OPERATIONS } from './feed-operations.ts';

/** The first message of a payment, and one that is in hand behind it. */
const MAX_WAITING = 2;
const LEASE_ID_BYTES = 15;

const env = readEnv(FEED_ENV, process.env);
const dynamodb = new DynamoDBClient(AWS_CLIENT_CONFIG);
const sqs = new SQSClient(AWS_CLIENT_CONFIG);
const now = Date.now;
const tables = {
  subscriptions: env.SUBSCRIPTIONS_TABLE,
  signingSecrets: env.SIGNING_SECRETS_TABLE,
  orderingKeys: env.ORDERING_KEYS_TABLE,
  history: env.HISTORY_TABLE,
};
const internalError = (error: unknown) => logger.error('feed.internal_error', error as Error);

const answer = operationsApi(
  FEED_OPERATIONS,
  {
    lookUp: deliveryReader(
      dynamodb,
      tables,
      openOnce(kmsOpen(kmsOnLambda(process.env), env.SIGNING_SECRETS_KEY)),
      now,
    ),
    backlog: backlogReader(dynamodb, tables.orderingKeys, internalError).backlog,
    waitingIn: orderingKeyReader(dynamodb, tables, MAX_WAITING),
    ...leaseTable(dynamodb, tables.orderingKeys),
    endLease: leaseEnder(dynamodb, tables.orderingKeys),
    signal: signalQueue(sqs, env.DELIVERIES_QUEUE_URL, internalError),
    extend: expiryExtender(dynamodb, tables.subscriptions, now),
    policy: parseDeliveryPolicy(env.DELIVERY_POLICY),
    now,
    newId: () => randomBytes(LEASE_ID_BYTES).toString('base64url'),
  },
  logger,
);

export const handler = handlerOf(answer);
