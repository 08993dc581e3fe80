import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { historyPages } from '../../../functions/adapters/dynamodb/history/history-pages.ts';
import { subscriptionsTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { Wanting } from './events-report.ts';

/** Of each subscription so many messages are read at most, newest first. */
export const MAX_READ = 1_000;
const PAGE = 100;

/** All subscriptions of all services that are not deleted. */
export async function subscribed(dynamodb: DynamoDBClient, table: string): Promise<Wanting[]> {
  const found: Wanting[] = [];
  const pages = paginateScan(
    { client: dynamodb },
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

/**
 * How many messages of each event type these subscriptions got since an instant.
 *
 * @returns also the subscriptions that got more than were read
 */
export async function messagesByType(
  dynamodb: DynamoDBClient,
  historyTable: string,
  all: readonly Wanting[],
  since: string,
): Promise<{ readonly messages: ReadonlyMap<string, number>; readonly cut: readonly string[] }> {
  const page = historyPages(dynamodb, historyTable);
  const messages = new Map<string, number>();
  const cut: string[] = [];
  for (const { subscription_id } of all) {
    let read = 0;
    let after: Awaited<ReturnType<typeof page>>['next'];
    do {
      const { messages: found, next } = await page(subscription_id, {
        limit: PAGE,
        since,
        ...(after === undefined ? {} : { after }),
      });
      for (const { event_type } of found) {
        messages.set(event_type, (messages.get(event_type) ?? 0) + 1);
      }
      read += found.length;
      after = next;
    } while (after !== undefined && read < MAX_READ);
    if (after !== undefined) {
      cut.push(subscription_id);
    }
  }
  return { messages, cut };
}
