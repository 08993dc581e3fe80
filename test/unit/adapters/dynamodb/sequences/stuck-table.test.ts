import type { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { stuckTable } from '../../../../../functions/adapters/dynamodb/sequences/stuck-table.ts';
import { sequencesTable } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { NONE_STUCK } from '../../../../../functions/core/stuck/stuck-payments.ts';
import { paged } from '../pages.ts';

const PAYMENT = { service_id: 'bakery', payment_id: 'pay-1' };

test('events of a stuck payment are no more than asked for, however pages are cut', async () => {
  const events = Array.from({ length: 5 }, (_, index) => ({
    ...PAYMENT,
    record_id: `record-${index}`,
    group: 'shard-01',
    body: '{}',
    order_number: `00${index}`,
    admitted_at_ms: 1_000 + index,
  }));
  const { client } = paged(() => events, { pageSize: 2 });
  const table = tableOf(client);
  expect(await table.stuckEvents(PAYMENT, 3)).toEqual(events.slice(0, 3));
});

test('events of a stuck payment are stored in the order of the queue, also once its numbers get longer', async () => {
  const stored: string[] = [];
  const client = {
    async send({ input: { TransactItems = [] } }: TransactWriteItemsCommand) {
      stored.push(...TransactItems.flatMap(({ Put }) => Put?.Item?.[sequencesTable.sortKey]?.S ?? []));
      return {};
    },
  } as unknown as DynamoDBClient;
  const table = tableOf(client);
  for (const order_number of ['9', '10']) {
    const event = { ...PAYMENT, record_id: order_number, group: 'shard-01', body: '{}', admitted_at_ms: 1 };
    await table.setAside(PAYMENT, { ...event, order_number }, { known: NONE_STUCK, next: NONE_STUCK });
  }
  expect(stored.map((item) => item.split('#').at(-1))).toEqual(['9', '10']);
  expect([...stored].sort()).toEqual(stored);
});

function tableOf(client: DynamoDBClient) {
  return stuckTable(client, {
    sequences: 'sequences',
    subscriptions: 'subscriptions',
    onInternalError() {},
  });
}
