import { BatchGetItemCommand, type DynamoDBClient, type PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../functions/adapters/table-batch.ts';
import { RESTORABLE } from '../../../operate/restorable.ts';
import { NOTHING } from '../../../operate/restore-report.ts';
import { copyPage } from '../../../operate/restore-table.ts';

const route = (subscription_id: string) => ({ subscription_id, event_types: ['*'], live: true });
const routes = (version: number, ...ids: readonly string[]): Item => ({
  service_id: 'shop',
  item: 'routes',
  version,
  routes: ids.map(route),
});

/** Copies a restored item over the one that is there; what is there then, and what is counted. */
async function copied(restored: Item, there: Item) {
  let live = there;
  const client = {
    async send(command: BatchGetItemCommand | PutItemCommand) {
      if (command instanceof BatchGetItemCommand) {
        return { Responses: { subscriptions: [marshall(live)] } };
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
