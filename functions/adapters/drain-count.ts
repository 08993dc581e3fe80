import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { WakePorts } from '../wake/ports.ts';
import { subscriptionsTable as keys } from './table-keys.ts';

const KEPT_SECONDS = 60;

/**
 * A roll call: each drain adds itself to the item of this second, and reads what the last one came to. Nobody has to be crossed off, so nothing that dies
 * is counted for ever. One item takes 1,000 writes a second.
 */
export function drainCount(
  client: DynamoDBClient,
  { table, now }: { readonly table: string; readonly now: () => number },
): WakePorts['drains'] {
  const keyOf = (second: number) =>
    marshall({ [keys.partitionKey]: keys.drains, [keys.sortKey]: String(second) });
  return async () => {
    const second = Math.floor(now() / 1_000);
    const [said, last] = await Promise.all([
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: keyOf(second),
          UpdateExpression: 'ADD #drains :one SET #remove = :remove',
          ExpressionAttributeNames: { '#drains': 'drains', '#remove': keys.timeToLive },
          ExpressionAttributeValues: marshall({ ':one': 1, ':remove': second + KEPT_SECONDS }),
          ReturnValues: 'UPDATED_NEW',
        }),
      ),
      client.send(
        new GetItemCommand({
          TableName: table,
          Key: keyOf(second - 1),
          ConsistentRead: true,
          ProjectionExpression: '#drains',
          ExpressionAttributeNames: { '#drains': 'drains' },
        }),
      ),
    ]);
    const drainsOf = (item: Parameters<typeof unmarshall>[0] | undefined) =>
      Number(item === undefined ? 0 : (unmarshall(item).drains ?? 0));
    return Math.max(drainsOf(said.Attributes), drainsOf(last.Item));
  };
}
