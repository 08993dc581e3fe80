import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { orderingKeysTable, subscriptionsTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { FeedEnv } from '../../../functions/api/feed/env.ts';
import { deliveryPolicyJson } from '../../../functions/core/attempt/delivery-policy.ts';
import { writesOnly } from '../../constructs/data/table-conditions.ts';
import { indexesOf, ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Settings } from '../../settings.ts';
import type { Data } from '../data.ts';
import type { Pipeline } from '../pipeline.ts';

const EXPIRY = writesOnly(
  subscriptionsTable.partitionKey,
  subscriptionsTable.sortKey,
  ...['expires_at', 'check_at', 'state'],
);

/** A lease and its result, the checks of an ordering key, and what their conditions look at. */
const LEASES = writesOnly(
  orderingKeysTable.partitionKey,
  orderingKeysTable.sortKey,
  ...['lease', 'failed_attempts', 'check_at', 'age_check_at', 'state'],
);

interface FeedProps {
  readonly settings: Settings;
  readonly data: Data;
  readonly pipeline: Pipeline;
}

/**
 * Hands messages to partners who fetch them. A function of its own: it reads secrets, to sign, and bodies, which
 * the api does not.
 */
export function feedFunction(scope: Construct, { settings, data, pipeline }: FeedProps): ServiceFunction {
  const feed = new ServiceFunction(scope, 'Feed', {
    settings,
    name: 'feed',
    description: 'Hands messages to partners who fetch them, and takes what became of them',
    timeout: Duration.seconds(20),
    memorySizeMiB: 512,
    environment: {
      SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
      SIGNING_SECRETS_TABLE: data.signingSecrets.tableName,
      SIGNING_SECRETS_KEY: data.secretsKeyArn,
      HISTORY_TABLE: data.history.tableName,
      ORDERING_KEYS_TABLE: data.orderingKeys.tableName,
      DELIVERIES_QUEUE_URL: pipeline.deliveries.queue.queueUrl,
      DELIVERY_POLICY: deliveryPolicyJson(settings.deliveryPolicy),
    } satisfies FeedEnv,
  });
  feed.allowTable(data.subscriptions, 'BatchGetItem');
  // When it expires, and nothing that its partner has set.
  feed.allowTableIf(EXPIRY, data.subscriptions, 'UpdateItem');
  feed.allowTable(data.signingSecrets, 'BatchGetItem');
  feed.allowTable(data.history, 'BatchGetItem');
  // Leases and checks. Only `deliver` moves an ordering key on.
  feed.allowTable(data.orderingKeys, 'Query');
  feed.allowTableIf(LEASES, data.orderingKeys, 'UpdateItem');
  feed.allow(['dynamodb:Query'], ...indexesOf(data.orderingKeys, orderingKeysTable.backlog));
  feed.allow(['sqs:SendMessage'], pipeline.deliveries.queue.queueArn);
  data.allowSecretsKey(feed, 'reading');
  data.allowSecrets(feed, 'opening');
  data.allowDataKey(feed, { tables: 'writing', queues: 'sending' });
  return feed;
}
