import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { MESSAGE_DAYS } from '../core/history.ts';
import { eventPartition, historyTable } from './table-keys.ts';

/**
 * Keeps the resource of a large event in the history, once for all its messages. Idempotent per event: the first one stays, since that is
 * what was sent.
 */
export function resourceTable(client: DynamoDBClient, table: string, retentionDays: number) {
  return async (key: string, resource: string, admittedAtMs: number): Promise<void> => {
    const removeAtSeconds = Math.floor(admittedAtMs / 1_000) + (MESSAGE_DAYS + retentionDays) * 86_400;
    try {
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: marshall({
            [historyTable.partitionKey]: eventPartition(key),
            [historyTable.sortKey]: historyTable.resourceItem,
            resource,
            [historyTable.timeToLive]: removeAtSeconds,
          }),
          ConditionExpression: 'attribute_not_exists(#message_id)',
          ExpressionAttributeNames: { '#message_id': historyTable.partitionKey },
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) {
        throw error;
      }
    }
  };
}
