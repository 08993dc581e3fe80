import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { signingSecretsTable } from './table-keys.ts';

/**
 * The part of a transaction that keeps the first signing secret of a new subscription:
 * `{ subscription_id, secrets: [{ secret, created_at }] }`.
 */
export function keepFirstSecret(
  table: string,
  { subscriptionId, secret, createdAt }: Readonly<Record<'subscriptionId' | 'secret' | 'createdAt', string>>,
): TransactWriteItem {
  return {
    Put: {
      TableName: table,
      Item: marshall({
        [signingSecretsTable.partitionKey]: subscriptionId,
        secrets: [{ secret, created_at: createdAt }],
      }),
      // A secret in use is never overwritten: deliveries under way would be signed with one that nobody knows.
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': signingSecretsTable.partitionKey },
    },
  };
}

/** The part of a transaction that forgets the secrets of a subscription. */
export function forgetSecrets(table: string, subscriptionId: string): TransactWriteItem {
  return {
    Delete: { TableName: table, Key: marshall({ [signingSecretsTable.partitionKey]: subscriptionId }) },
  };
}
