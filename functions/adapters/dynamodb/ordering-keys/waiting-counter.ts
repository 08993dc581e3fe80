import { type AttributeValue, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Backlog } from '../../../core/ordering/ports.ts';
import { historyTable } from '../table-keys.ts';

/**
 * Counts in the sparse index of messages that are not final: a thousand take some 30 read units and one page.
 */
export function waitingCounter(client: DynamoDBClient, table: string): Backlog['waiting'] {
  return async (subscriptionId, max) => {
    let count = 0;
    let startKey: Record<string, AttributeValue> | undefined;
    do {
      const { Count = 0, LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: historyTable.waiting,
          Select: 'COUNT',
          KeyConditionExpression: '#waiting_for = :subscription_id',
          ExpressionAttributeNames: { '#waiting_for': 'waiting_for' },
          ExpressionAttributeValues: marshall({ ':subscription_id': subscriptionId }),
          Limit: max - count,
          ...(startKey === undefined ? {} : { ExclusiveStartKey: startKey }),
        }),
      );
      count += Count;
      startKey = LastEvaluatedKey;
    } while (startKey !== undefined && count < max);
    return count;
  };
}
