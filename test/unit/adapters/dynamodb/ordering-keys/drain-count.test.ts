import { drainCount } from '../../../../../functions/adapters/dynamodb/ordering-keys/drain-count.ts';
import { secondsTable } from '../periods-table.ts';

function roll() {
  const { rollCall, ...table } = secondsTable();
  return { drains: drainCount(rollCall), ...table };
}

test('each counts the drains of the last second, however early in its own it asks', async () => {
  const { drains, pass } = roll();
  await Promise.all([drains(), drains(), drains()]);
  pass(1_000);
  expect(await drains()).toBe(3);
});

test('items expire after a minute, under a key that no service can have', async () => {
  const { drains, inputs } = roll();
  await drains();
  expect(inputs[0]).toMatchObject({
    TableName: 'subscriptions',
    Key: { service_id: { S: '#drains' }, item: { S: '1794650400' } },
    ExpressionAttributeValues: { ':remove': { N: '1794650460' } },
  });
});
