import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { subscriptionsTable } from '../table-keys.ts';

/** What a subscription wants. */
export interface Wanting {
  readonly service_id: string;
  readonly subscription_id: string;
  readonly event_types: readonly string[];
}

/** All that is read of a subscription: whoever may read this sees no URL. */
export const WANTED_ATTRIBUTES = [
  subscriptionsTable.partitionKey,
  subscriptionsTable.sortKey,
  'event_types',
  'state',
] as const;

/** What all subscriptions of all services want, but for those that are deleted. Reads the whole table. */
export async function wantedTypes(client: DynamoDBClient, table: string): Promise<Wanting[]> {
  const found: Wanting[] = [];
  const pages = paginateScan(
    { client },
    {
      TableName: table,
      FilterExpression: 'begins_with(#item, :sub) AND #state <> :deleted',
      ProjectionExpression: '#service, #item, event_types',
      ExpressionAttributeNames: {
        '#service': subscriptionsTable.partitionKey,
        '#item': subscriptionsTable.sortKey,
        '#state': 'state',
      },
      ExpressionAttributeValues: { ':sub': { S: 'sub_' }, ':deleted': { S: 'deleted' } },
    },
  );
  for await (const { Items = [] } of pages) {
    for (const item of Items.map((one) => unmarshall(one))) {
      const { [subscriptionsTable.partitionKey]: service_id, [subscriptionsTable.sortKey]: id } = item;
      found.push({ service_id, subscription_id: id, event_types: item.event_types });
    }
  }
  return found;
}
