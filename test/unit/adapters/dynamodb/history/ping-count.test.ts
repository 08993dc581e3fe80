import type { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { pingCount } from '../../../../../functions/adapters/dynamodb/history/ping-count.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';

test('pings are counted per minute, for the service and for the subscription', async () => {
  const counts = new Map<string, number>();
  let nowMs = TEN_O_CLOCK_MS;
  const client = {
    async send({ input }: UpdateItemCommand) {
      const name = JSON.stringify(input.Key && unmarshall(input.Key));
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return { Attributes: { count: { N: String(count) } } };
    },
  };
  const count = pingCount(client as unknown as DynamoDBClient, { table: 'subscriptions', now: () => nowMs });
  const shop = (subscription_id: string) => count({ service_id: 'shop', subscription_id });
  expect(await shop('sub_1')).toEqual({ ofService: 1, ofSubscription: 1 });
  nowMs += 59_999;
  expect(await shop('sub_2')).toEqual({ ofService: 2, ofSubscription: 1 });
  nowMs += 1;
  expect(await shop('sub_2')).toEqual({ ofService: 1, ofSubscription: 1 });
});
