import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Exchanged } from '../../../core/api/portal/portal-session-store.ts';
import type { Item } from '../marshalled.ts';
import { apiTokensTable } from '../table-keys.ts';

/** What exchanging and revoking a session names of its item. */
export const EXCHANGE_ATTRIBUTES = [
  'exchanged_at',
  'secret_hash',
  'revoked_at',
  'link_expires_at_epoch_seconds',
] as const;

/**
 * A single conditional write decides which of several exchanges gets the session: it resolves to its item,
 * the others to undefined.
 */
export async function exchange(
  client: DynamoDBClient,
  table: string,
  key: Item,
  { exchanged_at, secret_hash }: Exchanged,
  nowMs: number,
): Promise<Item | undefined> {
  const clauses = [
    'attribute_not_exists(exchanged_at)',
    'attribute_not_exists(revoked_at)',
    // Also false where there is no item.
    'link_expires_at_epoch_seconds > :now',
  ];
  try {
    const { Attributes = {} } = await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: marshall(key),
        UpdateExpression: 'SET exchanged_at = :at, secret_hash = :hash',
        ConditionExpression: clauses.join(' AND '),
        ExpressionAttributeValues: marshall({
          ':at': exchanged_at,
          ':hash': secret_hash,
          ':now': nowMs / 1_000,
        }),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return unmarshall(Attributes);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
    // The SDK repeats a call whose response was lost: then the token on record is the one of this call.
    const there = error.Item === undefined ? undefined : unmarshall(error.Item);
    return there?.secret_hash === secret_hash ? there : undefined;
  }
}

/** Idempotent: keeps the first revocation. */
export async function revoke(
  client: DynamoDBClient,
  table: string,
  key: Item,
  revokedAt: string,
): Promise<void> {
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: marshall(key),
        UpdateExpression: 'SET revoked_at = :at',
        // The first clause keeps the update from creating an item; the second keeps the first revocation.
        ConditionExpression: `attribute_exists(${apiTokensTable.partitionKey}) AND attribute_not_exists(revoked_at)`,
        ExpressionAttributeValues: marshall({ ':at': revokedAt }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
  }
}
