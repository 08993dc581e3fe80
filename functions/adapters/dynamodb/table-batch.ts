import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { RefusedError } from '../../core/errors/refused-error.ts';
import { chunks } from './chunks.ts';
import type { Item } from './marshalled.ts';
import { marshalled } from './marshalled.ts';
import { isServerError, isThrottled, refusalOf } from './refusal.ts';
import { untilDone } from './until-done.ts';

/** DynamoDB's own limits for one call. */
const MAX_READS = 100;
const MAX_WRITES = 25;

/** Whoever hears what was left tries again himself, after having let go what is done: longer pauses would hold that up. */
const SHORT_SLEEPS_MS = [25, 50];

/** Keys of one table to read. */
export interface TableRead {
  readonly table: string;
  readonly keys: readonly Item[];
}

/** A key of one table. */
export interface Address {
  readonly table: string;
  readonly key: Item;
}

/** What a read has found, by table, and what it could not have. */
export interface BatchFound {
  readonly found: ReadonlyMap<string, Item[]>;
  /** Left alone by DynamoDB each time: too much at once, for a table or for one partition. */
  readonly untaken: readonly Address[];
  /** Refused for what they are. */
  readonly refused: readonly (Address & { readonly error: RefusedError })[];
}

/**
 * Reads items by their keys, of several tables in one call, with strong consistency: what was written before is seen. Keys without an item are left out; the
 * order is DynamoDB's. What DynamoDB leaves alone, or refuses, is told and keeps nobody else from being read. A number that JavaScript cannot hold becomes the nearest
 * that it can.
 *
 * @throws what is the fault of no key: DynamoDB is away, or lets nobody in
 */
export async function batchGetSome(
  client: DynamoDBClient,
  reads: readonly TableRead[],
  sleepsMs: readonly number[] = SHORT_SLEEPS_MS,
): Promise<BatchFound> {
  const found = new Map<string, Item[]>(reads.map(({ table }) => [table, []]));
  const untaken: Address[] = [];
  const refusals: BatchFound['refused'][number][] = [];

  /** Answers what was left. */
  async function readOnce(wanted: readonly Address[]): Promise<readonly Address[]> {
    try {
      const answer = await client.send(new BatchGetItemCommand({ RequestItems: requestOf(wanted) }));
      for (const [table, items] of Object.entries(answer.Responses ?? {})) {
        found.get(table)?.push(...items.map((item) => unmarshall(item, { wrapNumbers: Number })));
      }
      return Object.entries(answer.UnprocessedKeys ?? {}).flatMap(([table, { Keys = [] }]) =>
        Keys.map((key) => ({ table, key: unmarshall(key) })),
      );
    } catch (error) {
      if (isThrottled(error)) {
        return wanted;
      }
      const refusal = refusalOf(error);
      if (refusal === undefined) {
        throw error;
      }
      if (wanted.length > 1) {
        return (await Promise.all(wanted.map((one) => readOnce([one])))).flat();
      }
      refusals.push(...wanted.map((one) => ({ ...one, error: refusal })));
      return [];
    }
  }

  const wanted = reads.flatMap(({ table, keys }) => distinct(keys).map((key) => ({ table, key })));
  for (const chunk of chunks(wanted, MAX_READS)) {
    const left = await untilDone<readonly Address[]>(
      chunk,
      async (some) => {
        const rest = await readOnce(some);
        return rest.length === 0 ? undefined : rest;
      },
      sleepsMs,
    );
    untaken.push(...(left ?? []));
  }
  return { found, untaken, refused: refusals };
}

/**
 * Reads items as `batchGetSome` does, and all or nothing.
 *
 * @returns the items found, by table
 * @throws when DynamoDB still leaves keys unprocessed after several tries, or refuses one
 */
export async function batchGet(
  client: DynamoDBClient,
  reads: readonly TableRead[],
): Promise<ReadonlyMap<string, Item[]>> {
  const { found, untaken, refused } = await batchGetSome(client, reads, undefined);
  for (const { error } of refused) {
    throw error;
  }
  if (untaken.length > 0) {
    const tables = new Set(untaken.map(({ table }) => table));
    throw new Error(`DynamoDB did not read everything in time; left over in ${[...tables].join(', ')}`);
  }
  return found;
}

/** What of a batch is not written. */
export interface BatchLeft {
  /** Too much at once, or nobody knows: to be tried again. */
  readonly untaken: ReadonlySet<Item>;
  /** Refused for what they are: with too much in them, or what no item can hold. */
  readonly refused: ReadonlyMap<Item, RefusedError>;
  /** Why calls failed as a whole. */
  readonly internalErrors: readonly unknown[];
}

/**
 * Puts items, each whole, over whatever was there. No two may have the same key. Never rejects: what is not written is told, item by item, and a call that is
 * refused is repeated with each item alone.
 *
 * @param keyNames the attributes that are the table's key
 */
export async function batchPut(
  client: DynamoDBClient,
  table: string,
  items: readonly Item[],
  keyNames: readonly string[],
): Promise<BatchLeft> {
  const refusals = new Map<Item, RefusedError>();
  const untaken = new Set<Item>();
  const internalErrors: unknown[] = [];
  let isTakenApart = false;
  const nameOf = (item: Item) => JSON.stringify(keyNames.map((name) => item[name]));

  /** Answers what was left. */
  async function putOnce(puts: readonly Put[]): Promise<readonly Put[]> {
    try {
      const RequestItems = { [table]: puts.map(({ marshalled }) => ({ PutRequest: { Item: marshalled } })) };
      const { UnprocessedItems = {} } = await client.send(new BatchWriteItemCommand({ RequestItems }));
      const left = (UnprocessedItems[table] ?? []).flatMap(({ PutRequest }) =>
        PutRequest?.Item === undefined ? [] : [PutRequest.Item],
      );
      const names = new Set(left.map((item) => nameOf(unmarshall(item, { wrapNumbers: Number }))));
      return puts.filter(({ item }) => names.has(nameOf(item)));
    } catch (error) {
      const refusal = refusalOf(error);
      // A server that fails with what one item holds may take the others; one that fails altogether is not asked for each of them again and again.
      const mayBeOfOne = refusal !== undefined || (isServerError(error) && !isTakenApart);
      if (mayBeOfOne && puts.length > 1) {
        isTakenApart = true;
        return (await Promise.all(puts.map((put) => putOnce([put])))).flat();
      }
      if (refusal === undefined) {
        internalErrors.push(error);
        return puts;
      }
      for (const { item } of puts) {
        refusals.set(item, refusal);
      }
      return [];
    }
  }

  const puts = items.flatMap((item) => {
    const put = putOf(item);
    if (put instanceof RefusedError) {
      refusals.set(item, put);
      return [];
    }
    return [put];
  });
  for (const chunk of chunks(puts, MAX_WRITES)) {
    const left = await untilDone<readonly Put[]>(
      chunk,
      async (some) => {
        const rest = await putOnce(some);
        return rest.length === 0 ? undefined : rest;
      },
      SHORT_SLEEPS_MS,
    );
    for (const { item } of left ?? []) {
      untaken.add(item);
    }
  }
  return { untaken, refused: refusals, internalErrors };
}

function putOf(item: Item): Put | RefusedError {
  try {
    return { item, marshalled: marshalled(item) };
  } catch (error) {
    return error as RefusedError;
  }
}

interface Put {
  readonly item: Item;
  readonly marshalled: Record<string, AttributeValue>;
}

function requestOf(wanted: readonly Address[]) {
  return Object.fromEntries(
    [...Map.groupBy(wanted, ({ table }) => table)].map(([table, of]) => [
      table,
      { Keys: of.map(({ key }) => marshall(key)), ConsistentRead: true },
    ]),
  );
}

function distinct(keys: readonly Item[]): Item[] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}
