import { type AttributeValue, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type UndeliveredState, WAITING_STATES } from '../../../core/message/message.ts';
import type { Backlog } from '../../../core/ordering/ports.ts';
import { historyTable, undeliveredOf } from '../table-keys.ts';

/**
 * Counts in the sparse index of messages that are not delivered: a thousand take some 30 read units and a page.
 */
export function waitingCounter(client: DynamoDBClient, table: string): Backlog['waiting'] {
  async function countOf(subscriptionId: string, state: UndeliveredState, max: number): Promise<number> {
    let count = 0;
    let startKey: Record<string, AttributeValue> | undefined;
    do {
      const { Count = 0, LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: historyTable.undelivered,
          Select: 'COUNT',
          KeyConditionExpression: '#undelivered = :undelivered',
          ExpressionAttributeNames: { '#undelivered': 'undelivered' },
          ExpressionAttributeValues: marshall({ ':undelivered': undeliveredOf(subscriptionId, state) }),
          Limit: max - count,
          ...(startKey === undefined ? {} : { ExclusiveStartKey: startKey }),
        }),
      );
      count += Count;
      startKey = LastEvaluatedKey;
    } while (startKey !== undefined && count < max);
    return count;
  }

  return async (subscriptionId, max) => {
    const counts = await Promise.all(WAITING_STATES.map((state) => countOf(subscriptionId, state, max)));
    return Math.min(
      max,
      counts.reduce((sum, count) => sum + count, 0),
    );
  };
}
