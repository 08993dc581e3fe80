import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { resourceKeptUntilMs } from '../../../core/message/history.ts';
import { ownResourceKey, resourceKey } from '../../../core/message/message.ts';
import type { MessageStore } from '../../../core/message/ports.ts';
import type { Item } from '../marshalled.ts';
import { refusalOf } from '../refusal.ts';
import { eventPartition, historyTable } from '../table-keys.ts';

type LargeEvent = Parameters<MessageStore['keepResource']>[0];

/**
 * Stores the resource of a large event in the history, once for all its messages. Idempotent per event: the
 * first one stays, since that is what was sent. If an event of another payment already has the same event id,
 * the resource gets a key that includes the payment.
 *
 * @throws RefusedError when DynamoDB refuses the content
 */
export function resourceTable(
  client: DynamoDBClient,
  table: string,
  retentionDays: number,
): (
  event: Pick<LargeEvent, 'service_id' | 'event_id' | 'payment_id'>,
  resource: string,
  admittedAtMs: number,
) => Promise<string> {
  return async ({ service_id, event_id, payment_id }, resource, admittedAtMs) => {
    const removeAtSeconds = Math.floor(resourceKeptUntilMs(admittedAtMs, retentionDays) / 1_000);

    /** Returns the existing item, if any. */
    async function put(key: string): Promise<Item | undefined> {
      try {
        await client.send(
          new PutItemCommand({
            TableName: table,
            Item: marshall({
              [historyTable.partitionKey]: eventPartition(key),
              [historyTable.sortKey]: historyTable.resourceItem,
              payment_id,
              resource,
              [historyTable.timeToLive]: removeAtSeconds,
            }),
            ConditionExpression: 'attribute_not_exists(#message_id)',
            ExpressionAttributeNames: { '#message_id': historyTable.partitionKey },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return undefined;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) {
          throw refusalOf(error) ?? error;
        }
        return error.Item === undefined ? {} : unmarshall(error.Item);
      }
    }

    const key = resourceKey({ service_id, event_id });
    const there = await put(key);
    if (there === undefined || there.payment_id === payment_id) {
      return key;
    }
    const ownKey = ownResourceKey({ service_id, event_id, payment_id });
    await put(ownKey);
    return ownKey;
  };
}
