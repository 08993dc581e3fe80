import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { tokenIdOf, tokenRecordSchema } from '../../../core/api/api-token.ts';
import type { ApiTokenStore } from '../../../core/api/api-token-store.ts';
import type { Counting } from '../../../core/api/rate-limit.ts';
import { queryPages } from '../query-pages.ts';
import { apiTokensTable } from '../table-keys.ts';

/** The partner is waiting: a count that takes longer is not worth it. */
const COUNTING_DEADLINE_MS = 1_000;

export function apiTokenTable(client: DynamoDBClient, table: string): ApiTokenStore {
  const keyOf = (hash: string) => marshall({ [apiTokensTable.partitionKey]: hash });

  const find: ApiTokenStore['find'] = async (hash) => {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: table,
        Key: keyOf(hash),
        // A token must work as soon as it is printed, and stop as soon as it is revoked.
        ConsistentRead: true,
      }),
    );
    // Tokens created before ids existed get theirs from the hash, like all others.
    return Item === undefined
      ? undefined
      : tokenRecordSchema.parse({ token_id: tokenIdOf(hash), ...unmarshall(Item) });
  };

  /** False when the condition does not hold. */
  const update = (
    hash: string,
    how: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>,
    deadlineMs?: number,
  ) =>
    client
      .send(
        new UpdateItemCommand({ TableName: table, Key: keyOf(hash), ...how }),
        deadlineMs === undefined ? {} : { abortSignal: AbortSignal.timeout(deadlineMs) },
      )
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof ConditionalCheckFailedException) {
            return false;
          }
          throw error;
        },
      );

  return {
    find,
    async put(record) {
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: marshall(record, { removeUndefinedValues: true }),
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': apiTokensTable.partitionKey },
        }),
      );
    },
    count: (hash, counting) => update(hash, countingUpdate(counting), COUNTING_DEADLINE_MS),
    async ofService(serviceId) {
      const pages = queryPages(client, {
        TableName: table,
        IndexName: apiTokensTable.byService,
        KeyConditionExpression: 'service_id = :service',
        ExpressionAttributeValues: marshall({ ':service': serviceId }),
      });
      const found = [];
      for await (const items of pages) {
        found.push(
          ...(await Promise.all(items.map((item) => find(String(item[apiTokensTable.partitionKey]))))),
        );
      }
      return found.filter((record) => record !== undefined);
    },
    async revoke(hash, { revoked_at, remove_at_epoch_seconds }) {
      // The first clause keeps the update from creating an item; the second keeps the first revocation.
      const clauses = [
        `attribute_exists(${apiTokensTable.partitionKey})`,
        'attribute_not_exists(revoked_at)',
      ];
      await update(hash, {
        UpdateExpression: 'SET revoked_at = :at, remove_at_epoch_seconds = :removal',
        ConditionExpression: clauses.join(' AND '),
        ExpressionAttributeValues: marshall({ ':at': revoked_at, ':removal': remove_at_epoch_seconds }),
      });
    },
  };
}

/** Uses only attributes that the authorizer may write: see its grant. */
function countingUpdate(counting: Counting): Omit<UpdateItemCommandInput, 'TableName' | 'Key'> {
  if (counting.kind === 'add') {
    return {
      UpdateExpression: 'ADD window_requests :one',
      ConditionExpression: 'window_started_at = :window AND window_requests < :max',
      ExpressionAttributeValues: marshall({ ':one': 1, ':window': counting.to, ':max': counting.max }),
    };
  }
  const { at, previous } = counting;
  return {
    UpdateExpression: 'SET window_started_at = :at, last_used_at = :at, window_requests = :one',
    // The first clause keeps the update from creating an item for a removed token.
    ConditionExpression:
      previous === undefined
        ? `attribute_exists(${apiTokensTable.partitionKey}) AND attribute_not_exists(window_started_at)`
        : 'window_started_at = :previous',
    ExpressionAttributeValues: marshall(
      { ':at': at, ':one': 1, ':previous': previous },
      { removeUndefinedValues: true },
    ),
  };
}
