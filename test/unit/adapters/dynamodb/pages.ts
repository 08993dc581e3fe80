import { type DynamoDBClient, QueryCommand, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { conditionFailed } from './cancelled.ts';

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
