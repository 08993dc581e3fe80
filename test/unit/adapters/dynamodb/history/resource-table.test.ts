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

describe('of a resource stored by a version that did not record the payment', () => {
  const kept = (resource: string) => table({ message_id: 'event#bakery#evt-1', item: 'resource', resource });

  test('the same event is a repeat', async () => {
    expect(await kept('{"a":1}').keep('pay-1', '{"a":1}')).toBe('bakery#evt-1');
  });

  test('another one is stored separately', async () => {
    expect(await kept('{"a":1}').keep('pay-2', '{"b":1}')).toBe('bakery#evt-1#pay-2');
  });

  test('an erased resource does not come back', async () => {
    const { keep, resources } = kept('');
    expect(await keep('pay-1', '{"a":1}')).toBe('bakery#evt-1');
    expect(resources()).toEqual({ 'event#bakery#evt-1': '' });
  });
});
