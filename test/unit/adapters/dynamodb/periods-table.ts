import { type DynamoDBClient, GetItemCommand, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { RollCall } from '../../../../functions/adapters/dynamodb/subscriptions/period-count.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

/** Items of counts, by name and second, updated as DynamoDB does. */
export function secondsTable() {
  const said = new Map<string, number>();
  const inputs: (UpdateItemCommand['input'] | GetItemCommand['input'])[] = [];
  let nowMs = TEN_O_CLOCK_MS;
  const client = {
    async send(command: UpdateItemCommand | GetItemCommand) {
      inputs.push(command.input);
      const item = `${command.input.Key?.service_id?.S} ${command.input.Key?.item?.S}`;
      if (command instanceof GetItemCommand) {
        const count = said.get(item);
        return count === undefined ? {} : { Item: { count: { N: `${count}` } } };
      }
      said.set(item, (said.get(item) ?? 0) + Number(command.input.ExpressionAttributeValues?.[':count']?.N));
      return { Attributes: { count: { N: `${said.get(item)}` } } };
    },
  };
  return {
    rollCall: new RollCall(client as unknown as DynamoDBClient, { table: 'subscriptions', now: () => nowMs }),
    said,
    inputs,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}
