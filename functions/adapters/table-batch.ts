import { BatchGetItemCommand, BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { chunks } from './chunks.ts';
import { untilDone } from './until-done.ts';

/** DynamoDB's own limits for one call. */
const MOST_READS = 100;
const MOST_WRITES = 25;

export type Item = Record<string, unknown>;

/** Keys of one table to read. */
export interface TableRead {
  readonly table: string;
  readonly keys: readonly Item[];
}

/**
 * Reads items by their keys, of several tables in one call, with strong consistency: what was written before is seen. Keys without an item are left out of the answer; the order is DynamoDB's.
 *
 * @returns the items found, by table
 * @throws when DynamoDB still leaves keys unprocessed after several tries
 */
export async function batchGet(
  client: DynamoDBClient,
  reads: readonly TableRead[],
): Promise<Map<string, Item[]>> {
  const found = new Map<string, Item[]>(reads.map(({ table }) => [table, []]));
  const wanted = reads.flatMap((read) => distinct(read.keys).map((key) => ({ ...read, key })));
  for (const chunk of chunks(wanted, MOST_READS)) {
    const request = Object.groupBy(chunk, ({ table }) => table);
    const left = await untilDone(
      Object.fromEntries(
        Object.entries(request).map(([table, of = []]) => [
          table,
          { Keys: of.map(({ key }) => marshall(key)), ConsistentRead: true },
        ]),
      ),
      async (RequestItems) => {
        const answer = await client.send(new BatchGetItemCommand({ RequestItems }));
        for (const [table, items] of Object.entries(answer.Responses ?? {})) {
          found.get(table)?.push(...items.map((item) => unmarshall(item)));
        }
        const { UnprocessedKeys = {} } = answer;
        return Object.keys(UnprocessedKeys).length === 0
          ? undefined
          : (UnprocessedKeys as typeof RequestItems);
      },
    );
    refuse('read', left);
  }
  return found;
}

/**
 * Puts items, each whole, over whatever was there. No two may have the same key.
 *
 * @throws when DynamoDB still leaves items unprocessed after several tries; some may have been written
 */
export async function batchPut(client: DynamoDBClient, table: string, items: readonly Item[]): Promise<void> {
  for (const chunk of chunks(items, MOST_WRITES)) {
    const left = await untilDone(
      {
        [table]: chunk.map((item) => ({
          PutRequest: { Item: marshall(item, { removeUndefinedValues: true }) },
        })),
      },
      async (RequestItems) => {
        const { UnprocessedItems = {} } = await client.send(new BatchWriteItemCommand({ RequestItems }));
        return Object.keys(UnprocessedItems).length === 0
          ? undefined
          : (UnprocessedItems as typeof RequestItems);
      },
    );
    refuse('write', left);
  }
}

function distinct(keys: readonly Item[]): Item[] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}

function refuse(what: 'read' | 'write', left: object | undefined): void {
  if (left !== undefined) {
    throw new Error(
      `DynamoDB did not ${what} everything in time; left over in ${Object.keys(left).join(', ')}`,
    );
  }
}
