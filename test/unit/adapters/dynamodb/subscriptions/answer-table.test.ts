import { type DynamoDBClient, GetItemCommand, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  answerCounter,
  answerReader,
} from '../../../../../functions/adapters/dynamodb/subscriptions/answer-table.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { answers } from '../../../core/circuit/given/circuit-inputs.ts';

type Attributes = NonNullable<UpdateItemCommand['input']['ExpressionAttributeValues']>;
const KINDS = ['succeeded', 'refused', 'overloaded', 'unwell'];

/** The items of answers, updated as DynamoDB does. */
function table() {
  const items = new Map<string, Record<string, number>>();
  const inputs: (UpdateItemCommand['input'] | GetItemCommand['input'])[] = [];
  const client = {
    async send(command: UpdateItemCommand | GetItemCommand) {
      inputs.push(command.input);
      const name = String(command.input.Key?.service_id?.S);
      if (command instanceof GetItemCommand) {
        const item = items.get(name);
        const counts = Object.entries(item ?? {}).map(([kind, N]) => [kind, { N: `${N}` }]);
        return item === undefined ? {} : { Item: Object.fromEntries(counts) };
      }
      const item = items.get(name) ?? {};
      const added = command.input.ExpressionAttributeValues as Attributes;
      for (const kind of KINDS) {
        item[kind] = (item[kind] ?? 0) + Number(added[`:${kind}`]?.N);
      }
      items.set(name, item);
      return {};
    },
  } as unknown as DynamoDBClient;
  const errors: unknown[] = [];
  return {
    count: answerCounter(client, { table: 'subscriptions', now: () => TEN_O_CLOCK_MS }, (error) =>
      errors.push(error),
    ),
    read: answerReader(client, 'subscriptions'),
    inputs,
    errors,
    client,
  };
}

test('the counts of workers add up per subscription', async () => {
  const { count, read } = table();
  await Promise.all([
    count('sub_1', answers({ succeeded: 3, unwell: 1 })),
    count('sub_1', answers({ succeeded: 2, refused: 4 })),
    count('sub_2', answers({ overloaded: 7 })),
  ]);
  expect(await read('sub_1')).toEqual({ succeeded: 5, refused: 4, overloaded: 0, unwell: 1 });
  expect(await read('sub_2')).toEqual({ succeeded: 0, refused: 0, overloaded: 7, unwell: 0 });
});

test('a subscription that was never drained has no counts', async () => {
  expect(await table().read('sub_1')).toEqual(answers({}));
});

test('counts are added without a condition, under a key that no service can have, and expire after a week', async () => {
  const { count, inputs } = table();
  await count('sub_1', answers({ succeeded: 1 }));
  expect(inputs).toMatchObject([
    {
      TableName: 'subscriptions',
      Key: { service_id: { S: '#answers#sub_1' }, item: { S: 'answers' } },
      ExpressionAttributeValues: { ':remove': { N: '1795255200' } },
    },
  ]);
  expect(inputs[0]).not.toHaveProperty('ConditionExpression');
});
