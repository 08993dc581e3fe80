import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { stageSessionSchema } from '../../../core/api/stage/stage-session.ts';
import type { StageSessionStore } from '../../../core/api/stage/stage-session-store.ts';
import { apiTokensTable, stageSessionKey } from '../table-keys.ts';
import { exchange, revoke } from './session-items.ts';

/** Items in the table of tokens, under keys that no token and no portal session can have. */
export function stageSessionTable(client: DynamoDBClient, table: string): StageSessionStore {
  const { partitionKey } = apiTokensTable;
  const keyOf = (sessionId: string) => ({ [partitionKey]: stageSessionKey(sessionId) });
  return {
    countedAs: stageSessionKey,

    async add(session) {
      await client.send(
        new PutItemCommand({
          TableName: table,
          // Without a service, so the index by service has no entry for it.
          Item: marshall({ ...session, ...keyOf(session.session_id) }, { removeUndefinedValues: true }),
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': partitionKey },
        }),
      );
    },

    async find(sessionId) {
      const { Item } = await client.send(
        // A link must work as soon as it is made, and a session end as soon as it is revoked.
        new GetItemCommand({ TableName: table, Key: marshall(keyOf(sessionId)), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : stageSessionSchema.parse(unmarshall(Item));
    },

    async exchange(sessionId, by, nowMs) {
      const item = await exchange(client, table, keyOf(sessionId), by, nowMs);
      return item && stageSessionSchema.parse(item);
    },

    revoke: (sessionId, revokedAt) => revoke(client, table, keyOf(sessionId), revokedAt),
  };
}
