import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  TransactionCanceledException,
  type UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { RollCall } from '../../../../functions/adapters/dynamodb/subscriptions/period-count.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

type Item = Record<string, unknown>;

/**
 * Tables whose queries find what `find` returns, this many items per page, and whose items have one
 * `check_at` until it is moved.
 */
export function paged(
  find: (table: string, values: Item, index: string | undefined) => readonly Item[],
  { pageSize = 2, checkAt = '' }: { readonly pageSize?: number; readonly checkAt?: string } = {},
) {
  const queries: { table: string | undefined; index: string | undefined; values: Item }[] = [];
  const moved: { table: string | undefined; key: Item; check: string | undefined }[] = [];
  let current = checkAt;

  function query({ input }: QueryCommand) {
    const values = unmarshall(input.ExpressionAttributeValues ?? {});
    queries.push({ table: input.TableName, index: input.IndexName, values });
    const found = find(input.TableName ?? '', values, input.IndexName);
    const from = Number(input.ExclusiveStartKey?.from?.N ?? 0);
    const next = from + Math.min(pageSize, input.Limit ?? pageSize);
    return {
      Items: found.slice(from, next).map((item) => marshall(item)),
      ...(next < found.length ? { LastEvaluatedKey: marshall({ from: next }) } : {}),
    };
  }

  function update({ input }: UpdateItemCommand) {
    const { ':from': from, ':to': to } = unmarshall(input.ExpressionAttributeValues ?? {});
    const isMet = current === from || current === to;
    if (input.ConditionExpression !== '#check IN (:from, :to)' || !isMet) {
      throw conditionFailed();
    }
    current = to;
    const check = input.ExpressionAttributeNames?.['#check'];
    moved.push({ table: input.TableName, key: unmarshall(input.Key ?? {}), check });
    return {};
  }

  const client = {
    send: async (command: QueryCommand | UpdateItemCommand) =>
      command instanceof QueryCommand ? query(command) : update(command),
  };
  return { client: client as unknown as DynamoDBClient, queries, moved };
}

/** A transaction that DynamoDB refused, with the reason for each of its actions. */
export function cancelled(...codes: string[]) {
  return new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

/** A write that DynamoDB refused for its condition; with the item that is there, if that was asked for. */
export function conditionFailed(item?: object) {
  return new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata: {},
    ...(item === undefined ? {} : { Item: marshall(item, { removeUndefinedValues: true }) }),
  });
}

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
