import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { resourceKeptUntilMs } from '../../../core/message/history.ts';
import type { MessageStore } from '../../../core/message/ports.ts';
import { refusalOf } from '../refusal.ts';
import { historyTable, resourceAddress } from '../table-keys.ts';
import { packed } from './stored-resource.ts';

/** Stores the resource of a large event in the history, beside the messages of its payment. */
export function resourceTable(
  client: DynamoDBClient,
  table: string,
  retentionDays: number,
): MessageStore['keepResource'] {
  return async ({ service_id, payment_id, event_id }, resource, admittedAtMs) => {
    try {
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: marshall({
            ...resourceAddress({ service_id, payment_id, event_id }),
            ...{ service_id, payment_id, event_id, resource: packed(resource) },
            [historyTable.timeToLive]: Math.floor(resourceKeptUntilMs(admittedAtMs, retentionDays) / 1_000),
          }),
          ConditionExpression: 'attribute_not_exists(#payment)',
          ExpressionAttributeNames: { '#payment': historyTable.partitionKey },
        }),
      );
    } catch (error) {
      // The first one stays, erased or not.
      if (!(error instanceof ConditionalCheckFailedException)) {
        throw refusalOf(error) ?? error;
      }
    }
  };
}
