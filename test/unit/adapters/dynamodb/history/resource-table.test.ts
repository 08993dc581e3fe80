import type { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { resourceTable } from '../../../../../functions/adapters/dynamodb/history/resource-table.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { conditionFailed } from '../cancelled.ts';

type Item = Record<string, unknown>;

/** A table that refuses to overwrite an item, and returns the existing one, as DynamoDB does. */
function table(...there: readonly Item[]) {
  const items = new Map(there.map((item) => [String(item.message_id), item]));
  const client = {
    async send({ input }: PutItemCommand) {
      const item = unmarshall(input.Item ?? {});
      const known = items.get(item.message_id);
      if (known !== undefined) {
        throw conditionFailed(input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? known : undefined);
      }
      items.set(item.message_id, item);
      return {};
    },
  };
  const keep = resourceTable(client as unknown as DynamoDBClient, 'history', 90);
  return {
    keep: (payment_id: string, resource: string) =>
      keep({ service_id: 'bakery', event_id: 'evt-1', payment_id }, resource, TEN_O_CLOCK_MS),
    resources: () => Object.fromEntries([...items].map(([id, { resource }]) => [id, resource])),
  };
}

test('a resource is stored under service and event, and stays unchanged when the event is repeated', async () => {
  const { keep, resources } = table();
  expect(await keep('pay-1', '{"a":1}')).toBe('bakery#evt-1');
  expect(await keep('pay-1', '{"a":2}')).toBe('bakery#evt-1');
  expect(resources()).toEqual({ 'event#bakery#evt-1': '{"a":1}' });
});

test('the resource of another payment with the same event id is stored separately, however often it comes', async () => {
  const { keep, resources } = table();
  await keep('pay-1', '{"a":1}');
  expect(await keep('pay-2', '{"b":1}')).toBe('bakery#evt-1#pay-2');
  expect(await keep('pay-2', '{"b":2}')).toBe('bakery#evt-1#pay-2');
  expect(resources()).toEqual({
    'event#bakery#evt-1': '{"a":1}',
    'event#bakery#evt-1#pay-2': '{"b":1}',
  });
});
