import type { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { routeTable } from '../../../../../functions/adapters/dynamodb/subscriptions/route-table.ts';

const ROUTE = { subscription_id: 'sub_1', event_types: ['*'], live: false };
const STUCK = { revision: 2, payments: [{ payment_id: 'pay-1', since: '2026-11-14T10:00:00.000Z' }] };
const ITEMS: Record<string, unknown>[] = [
  { service_id: 'bakery', item: 'routes', version: 3, routes: [ROUTE], stuck_payments: STUCK },
  { service_id: 'florist', item: 'routes', version: 3, routes: [{ ...ROUTE, event_types: 'all' }] },
  { service_id: 'grocer', item: 'routes', version: 3, routes: 'elsewhere', format_version: 2 },
];

const client = {
  async send({ input }: BatchGetItemCommand) {
    const Keys = input.RequestItems?.subscriptions?.Keys ?? [];
    const ids = Keys.map((key) => unmarshall(key).service_id);
    const hot = Keys.filter((_, index) => ids[index] === 'hot');
    return {
      Responses: {
        subscriptions: ITEMS.filter(({ service_id }) => ids.includes(service_id)).map((item) =>
          marshall(item),
        ),
      },
      UnprocessedKeys: hot.length > 0 ? { subscriptions: { Keys: hot } } : {},
    };
  },
} as unknown as DynamoDBClient;

test('services are known, unknown, unreadable, of a newer version, or throttled', async () => {
  const routesOf = routeTable(client, 'subscriptions');
  expect(await routesOf(['bakery', 'florist', 'grocer', 'hot', 'nobody'])).toEqual({
    routes: new Map([['bakery', [ROUTE]]]),
    unreadable: new Map([
      ['florist', 'the routing item of florist cannot be read; see routes.0.event_types'],
    ]),
    untaken: new Set(['grocer', 'hot']),
    stuck: new Map([['bakery', STUCK]]),
  });
});
