import { stuckTable } from '../../../../../functions/adapters/dynamodb/sequences/stuck-table.ts';
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
  const table = stuckTable(client, {
    sequences: 'sequences',
    subscriptions: 'subscriptions',
    onInternalError() {},
  });
  expect(await table.stuckEvents(PAYMENT, 3)).toEqual(events.slice(0, 3));
});
