import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { ApiTokenStore } from '../authorize/api-token-store.ts';
import { tokenRecordSchema } from '../core/api-token.ts';
import { apiTokensTable } from './table-keys.ts';

export function apiTokenTable(client: DynamoDBClient, table: string): ApiTokenStore {
  return {
    async find(hash) {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: table,
          Key: marshall({ [apiTokensTable.partitionKey]: hash }),
          // A token works as soon as it was printed, and no longer than it is there.
          ConsistentRead: true,
        }),
      );
      return Item === undefined ? undefined : tokenRecordSchema.parse(unmarshall(Item));
    },
    async put(record) {
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: marshall(record),
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': apiTokensTable.partitionKey },
        }),
      );
    },
  };
}
