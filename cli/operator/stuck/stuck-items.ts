import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import { queryPages } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { readable } from '../../../functions/adapters/dynamodb/readable.ts';
import { orderingKeysTable, type sequencesTable } from '../../../functions/adapters/dynamodb/table-keys.ts';

interface Wanted<Value> {
  readonly table: string;
  readonly keys: typeof orderingKeysTable | typeof sequencesTable;
  readonly schema: z.ZodMiniType<Value>;
  readonly max: number;
  readonly onUnreadable: (internalError: Error) => void;
}

/** What waits for an operator, the oldest first; may lag by a second. */
export async function stuckItems<Value>(
  client: DynamoDBClient,
  { table, keys, schema, max, onUnreadable }: Wanted<Value>,
): Promise<Value[]> {
  const pages = queryPages(client, {
    TableName: table,
    IndexName: keys.stuck,
    KeyConditionExpression: '#stuck = :yes',
    ExpressionAttributeNames: { '#stuck': 'stuck' },
    ExpressionAttributeValues: marshall({ ':yes': orderingKeysTable.isStuck }),
    Limit: max,
  });
  const found: Value[] = [];
  for await (const items of pages) {
    found.push(...readable(items, schema, keys.partitionKey, onUnreadable));
    if (found.length >= max) {
      break;
    }
  }
  return found.slice(0, max);
}
