import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { subscriptionAddress } from '../../../functions/adapters/dynamodb/subscriptions/subscription-address.ts';
import { MAX_SUBSCRIPTIONS_PER_SERVICE } from '../../../functions/core/subscription/subscription.ts';
import type { Service } from '../../support/deployed/deployed-stack.ts';
import type { StrictStack } from './strict-stack.ts';

/** A subscription whose callback URL was never checked. */
export interface Unvetted<Row> {
  readonly row: Row;
  readonly service: Service;
  readonly id: string;
}

/** Creates subscriptions with these callback URLs, as if each had been harmless at registration. */
export async function subscribeUnvetted<Row extends { readonly url: string }>(
  stack: StrictStack,
  rows: readonly Row[],
): Promise<Unvetted<Row>[]> {
  const services = chunks(rows, MAX_SUBSCRIPTIONS_PER_SERVICE).map(async (ofService) => {
    const service = await stack.newService();
    const subscriptions: Unvetted<Row>[] = [];
    for (const row of ofService) {
      const { id } = await service.subscribe(`https://innocent.hostile.test:${stack.listeners.port}/`);
      await replaceCallbackUrl(stack, service, id, row.url);
      subscriptions.push({ row, service, id });
    }
    return subscriptions;
  });
  return (await Promise.all(services)).flat();
}

/** Bypasses the API, which would check it. */
async function replaceCallbackUrl(stack: StrictStack, { serviceId }: Service, id: string, url: string) {
  await stack.dynamodb.send(
    new UpdateItemCommand({
      TableName: stack.outputs.tables.subscriptions,
      Key: marshall(subscriptionAddress({ service_id: serviceId, subscription_id: id })),
      UpdateExpression: 'SET callback_url = :url',
      ConditionExpression: 'attribute_exists(callback_url)',
      ExpressionAttributeValues: marshall({ ':url': url }),
    }),
  );
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
