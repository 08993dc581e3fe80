import { type DynamoDBClient, GetItemCommand, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { drainCount } from '../../../functions/adapters/drain-count.ts';
import { TEN_O_CLOCK_MS } from '../../support/builders.ts';

/** The items of the roll, by second, as DynamoDB adds to them. */
function roll() {
  const said = new Map<string, number>();
  const inputs: (UpdateItemCommand['input'] | GetItemCommand['input'])[] = [];
  let nowMs = TEN_O_CLOCK_MS;
  const client = {
    async send(command: UpdateItemCommand | GetItemCommand) {
      inputs.push(command.input);
      const second = String(command.input.Key?.item?.S);
      if (command instanceof GetItemCommand) {
        const drains = said.get(second);
        return drains === undefined ? {} : { Item: { drains: { N: `${drains}` } } };
      }
      said.set(second, (said.get(second) ?? 0) + 1);
      return { Attributes: { drains: { N: `${said.get(second)}` } } };
    },
  };
  return {
    drains: drainCount(client as unknown as DynamoDBClient, { table: 'subscriptions', now: () => nowMs }),
    inputs,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('a drain that is alone counts itself', async () => {
  const { drains, pass } = roll();
  expect(await drains()).toBe(1);
  pass(1_000);
  expect(await drains()).toBe(1);
});

test('each counts those of the last second, however early in its own it asks', async () => {
  const { drains, pass } = roll();
  await Promise.all([drains(), drains(), drains()]);
  pass(1_000);
  expect(await drains()).toBe(3);
});

test('those who come in this second count as soon as they are more', async () => {
  const { drains } = roll();
  expect(await Promise.all([drains(), drains(), drains()])).toEqual([1, 2, 3]);
});

test('whoever says nothing any more is forgotten after a second', async () => {
  const { drains, pass } = roll();
  await Promise.all([drains(), drains()]);
  pass(2_000);
  expect(await drains()).toBe(1);
});

test('items go after a minute, and stand where no service can', async () => {
  const { drains, inputs } = roll();
  await drains();
  expect(inputs[0]).toMatchObject({
    TableName: 'subscriptions',
    Key: { service_id: { S: '#drains' }, item: { S: '1794650400' } },
    ExpressionAttributeValues: { ':remove': { N: '1794650460' } },
  });
});
