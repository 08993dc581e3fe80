import {
  type BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  type TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { routeTable } from '../../../../../functions/adapters/dynamodb/subscriptions/route-table.ts';
import { changeRoutes } from '../../../../../functions/adapters/dynamodb/subscriptions/service-routes.ts';
import { ContendedError } from '../../../../../functions/core/errors/contended-error.ts';
import type { Route } from '../../../../../functions/core/subscription/subscription.ts';
import { cancelled } from '../pages.ts';

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

const mine: Route = { subscription_id: 'sub_mine', event_types: ['*'], live: true };

/** A table with one routing item. `meanwhile` runs between a read and the following write; it may throw. */
function table(meanwhile: (item: { version?: number; routes: Route[] }) => void = () => {}) {
  const item: { version?: number; routes: Route[] } = { routes: [] };
  const client = {
    async send(command: unknown) {
      if (command instanceof GetItemCommand) {
        return item.version === undefined ? {} : { Item: marshall(item) };
      }
      meanwhile(item);
      const { Update } = (command as TransactWriteItemsCommand).input.TransactItems![0]!;
      const values = unmarshall(Update!.ExpressionAttributeValues!);
      if (values[':current'] !== item.version) {
        throw cancelled('ConditionalCheckFailed', 'None');
      }
      Object.assign(item, { version: values[':next'], routes: values[':routes'] });
      return {};
    },
  };
  return { item, client: client as unknown as DynamoDBClient };
}

const adding = (route: Route) => (routes: readonly Route[]) => ({ routes: [...routes, route], writes: [] });

test('a writer that always loses gives up', async () => {
  const { client } = table((current) => {
    current.version = (current.version ?? 0) + 1;
  });

  await expect(changeRoutes(client, 'subscriptions', 'shop', adding(mine))).rejects.toThrow(ContendedError);
});

test.each([
  ['one of the other items fails its condition', cancelled('None', 'ConditionalCheckFailed')],
  ['the table is missing', Object.assign(new Error('no such table'), { name: 'ResourceNotFoundException' })],
])('when %s there is no retry', async (_, internalError) => {
  let tries = 0;
  const { client } = table(() => {
    tries += 1;
    throw internalError;
  });

  await expect(changeRoutes(client, 'subscriptions', 'shop', adding(mine))).rejects.toBe(internalError);
  expect(tries).toBe(1);
});
