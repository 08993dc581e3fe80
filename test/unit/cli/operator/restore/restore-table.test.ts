import { BatchGetItemCommand, type DynamoDBClient, type PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { RESTORABLE } from '../../../../../cli/operator/restore/restorable.ts';
import { NOTHING } from '../../../../../cli/operator/restore/restore-report.ts';
import { reseal, routesMender } from '../../../../../cli/operator/restore/restore-subscription.ts';
import { copyPage } from '../../../../../cli/operator/restore/restore-table.ts';
import type { Item } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import { openSecrets } from '../../../../../functions/adapters/dynamodb/secrets/opened-secrets.ts';
import { sealSecrets } from '../../../../../functions/adapters/dynamodb/secrets/sealed-secrets.ts';
import { inMemorySealing } from '../../../../../functions/adapters/kms/sealing.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import { keptSecrets, subscription } from '../../../../support/builders.ts';

const route = (subscription_id: string) => ({ subscription_id, event_types: ['*'], live: true });
const routes = (version: number, ...ids: readonly string[]): Item => ({
  service_id: 'shop',
  item: 'routes',
  version,
  routes: ids.map(route),
});

const one = (subscription_id: string, over: Partial<Subscription> = {}): Item => ({
  ...subscription({ service_id: 'shop', subscription_id, ...over }),
  item: subscription_id,
});

/** Copies a restored item over the one that is there; what is there then, and what is counted. */
async function copied(restored: Item, there: Item, ...subscriptions: readonly Item[]) {
  let live = there;
  const client = {
    async send(command: BatchGetItemCommand | PutItemCommand) {
      if (command instanceof BatchGetItemCommand) {
        const keys = command.input.RequestItems?.subscriptions?.Keys?.map((key) => unmarshall(key)) ?? [];
        const found = [live, ...subscriptions].filter((one) => keys.some(({ item }) => item === one.item));
        return { Responses: { subscriptions: found.map((one) => marshall(one)) } };
      }
      live = unmarshall(command.input.Item ?? {});
      return {};
    },
  };
  const counts = { ...NOTHING };
  await copyPage([restored], counts, {
    client: client as unknown as DynamoDBClient,
    table: 'subscriptions',
    what: RESTORABLE.subscriptions,
    goes: true,
    nowMs: 0,
    mended: routesMender(client as unknown as DynamoDBClient, 'subscriptions'),
  });
  return { live, counts };
}

test('who has registered since a service lost its routes keeps getting events when these come back', async () => {
  const { live, counts } = await copied(routes(7, 'sub_a', 'sub_b'), routes(1, 'sub_new'));

  expect(live).toEqual(routes(8, 'sub_a', 'sub_b', 'sub_new'));
  expect(counts).toMatchObject({ older: 1, overtaken: 0 });
});

test('copied once more, they stay as they are', async () => {
  const before = routes(8, 'sub_a', 'sub_b', 'sub_new');
  const { live, counts } = await copied(routes(7, 'sub_a', 'sub_b'), before);

  expect(live).toEqual(before);
  expect(counts).toMatchObject({ newer: 1 });
});

test('routes that a first restoration left in an earlier state are replaced', async () => {
  expect((await copied(routes(7, 'sub_a', 'sub_b'), routes(3, 'sub_a'))).live).toEqual(
    routes(7, 'sub_a', 'sub_b'),
  );
});

test('however often a service has changed since it lost its routes, those of subscriptions that it still has come back', async () => {
  const { live, counts } = await copied(
    routes(2, 'sub_a', 'sub_ended', 'sub_gone'),
    routes(2, 'sub_new'),
    one('sub_a', { event_types: ['refund_*'] }),
    one('sub_ended', { state: 'deleted' }),
  );

  expect(live).toEqual({
    ...routes(3, 'sub_new'),
    routes: [route('sub_new'), { subscription_id: 'sub_a', event_types: ['refund_*'], live: false }],
  });
  expect(counts).toMatchObject({ older: 1, newer: 0 });
});

/** Another key: what the one seals, the other does not open. */
const here = inMemorySealing();
const there = inMemorySealing('the old region');
const SECRETS = { ...keptSecrets(), custom_headers: { 'x-shop': 'bakery' } };
const never = (error: Error) => {
  throw error;
};

test('secrets of a stage that lived elsewhere open with the key of this one', async () => {
  const old = { subscription_id: 'sub_1', ...(await sealSecrets(there.seal, 'sub_1', SECRETS)) };
  const moved = await reseal([old], there.open, here.seal);
  expect(await openSecrets(here.open, moved, never)).toEqual([{ subscription_id: 'sub_1', ...SECRETS }]);
  await expect(openSecrets(here.open, [old], never)).rejects.toThrow('sub_1');
  await expect(reseal([old], here.open, here.seal)).rejects.toThrow('sub_1');
});
