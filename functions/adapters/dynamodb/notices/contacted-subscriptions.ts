import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ContactedSubscriptions } from '../../../core/notices/ports.ts';
import { type Subscription, subscriptionSchema } from '../../../core/subscription/subscription.ts';
import { chunks } from '../chunks.ts';
import { queryPages } from '../query-pages.ts';
import { readable } from '../readable.ts';
import { subscriptionReader } from '../subscriptions/subscription-reader.ts';
import { subscriptionsTable as keys } from '../table-keys.ts';

const SERVICES_AT_ONCE = 20;

/** Reads the subscriptions of a stage, service by service: half a read unit for each 4 KB of a service. */
export function contactedSubscriptions(
  client: DynamoDBClient,
  table: string,
  onInternalError: (internalError: Error) => void,
): ContactedSubscriptions {
  async function ofService(serviceId: string): Promise<Subscription[]> {
    const found: Subscription[] = [];
    for await (const page of queryPages(client, {
      TableName: table,
      KeyConditionExpression: '#partition = :partition AND begins_with(#item, :prefix)',
      FilterExpression: '(attribute_exists(#contact) OR attribute_exists(#notices)) AND #state <> :deleted',
      ExpressionAttributeNames: {
        ...{ '#partition': keys.partitionKey, '#item': keys.sortKey },
        ...{ '#contact': 'contact', '#notices': 'notices_url', '#state': 'state' },
      },
      ExpressionAttributeValues: marshall({
        ':partition': serviceId,
        ':prefix': 'sub_',
        ':deleted': 'deleted',
      }),
    })) {
      found.push(...readable(page, subscriptionSchema, 'subscription_id', onInternalError));
    }
    return found;
  }

  return {
    subscription: subscriptionReader(client, table),
    async *contacted() {
      for await (const page of queryPages(client, {
        TableName: table,
        KeyConditionExpression: '#partition = :partition',
        ExpressionAttributeNames: { '#partition': keys.partitionKey },
        ExpressionAttributeValues: marshall({ ':partition': keys.services }),
      })) {
        for (const services of chunks(page, SERVICES_AT_ONCE)) {
          const found = services.map((service) => ofService(String(service[keys.sortKey])));
          yield (await Promise.all(found)).flat();
        }
      }
    },
  };
}
