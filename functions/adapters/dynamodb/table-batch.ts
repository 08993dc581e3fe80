import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { RefusedError } from '../../core/errors/refused-error.ts';
import { chunks } from './chunks.ts';
import type { Item } from './marshalled.ts';
import { marshalled } from './marshalled.ts';
import { isServerError, isThrottled, refusalOf } from './refusal.ts';
import { unmarshalled } from './unmarshalled.ts';
import { untilDone } from './until-done.ts';

/** Limits of DynamoDB for one call. */
const MAX_READS = 100;
const MAX_WRITES = 25;

/** Short, because the caller first lets go of what is done and then retries the rest itself. */
const SHORT_SLEEPS_MS = [25, 50];

/** Keys to read from one table. */
export interface TableRead {
  readonly table: string;
  readonly keys: readonly Item[];
}

/** A key of one table. */
export interface Address {
  readonly table: string;
  readonly key: Item;
}

/** What a read found, by table, and what it could not read. */
export interface BatchFound {
  readonly found: ReadonlyMap<string, Item[]>;
  /** Unprocessed in every try: a table or a partition was throttled. */
  readonly untaken: readonly Address[];
  /** Refused for their content. */
  readonly refused: readonly (Address & { readonly error: RefusedError })[];
}

/**
 * Reads items by key, from several tables in one call, with strong consistency. Keys without an item are left
 * out; the order is DynamoDB's. Unprocessed and refused keys are returned, and do not keep the others from
 * being read. A number that JavaScript cannot hold becomes the nearest one that it can.
 *
 * @throws when no key is to blame: DynamoDB is unavailable or denies access
 */
export async function batchGetSome(
  client: DynamoDBClient,
  reads: readonly TableRead[],
  sleepsMs: readonly number[] = SHORT_SLEEPS_MS,
): Promise<BatchFound> {
  const found = new Map<string, Item[]>(reads.map(({ table }) => [table, []]));
  const untaken: Address[] = [];
  const refusals: BatchFound['refused'][number][] = [];

  /** Returns what was left. */
  async function readOnce(wanted: readonly Address[]): Promise<readonly Address[]> {
    try {
      const answer = await client.send(new BatchGetItemCommand({ RequestItems: requestOf(wanted) }));
      for (const [table, items] of Object.entries(answer.Responses ?? {})) {
        found.get(table)?.push(...items.map((item) => unmarshalled(item)));
      }
      return Object.entries(answer.UnprocessedKeys ?? {}).flatMap(([table, { Keys = [] }]) =>
        Keys.map((key) => ({ table, key: unmarshalled(key) })),
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
 * Reads items as `batchGetSome` does, all or nothing.
 *
 * @returns the items found, by table
 * @throws when keys are still unprocessed after several tries, or one is refused
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

/** The items of a batch that were not written. */
export interface BatchLeft {
  /** Throttled, or failed for an unknown reason: to be retried. */
  readonly untaken: ReadonlySet<Item>;
  /** Refused for their content: too large, or not representable. */
  readonly refused: ReadonlyMap<Item, RefusedError>;
  /** Errors of calls that failed as a whole. */
  readonly internalErrors: readonly unknown[];
}

/**
 * Puts items, replacing existing ones. No two items may have the same key. Never rejects: returns the items
 * that were not written. A refused call is repeated with each item alone.
 *
 * @param keyNames the attributes that form the table's key
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
  let isSplit = false;
  const nameOf = (item: Item) => JSON.stringify(keyNames.map((name) => item[name]));

  /** Returns what was left. */
  async function putOnce(puts: readonly Put[]): Promise<readonly Put[]> {
    try {
      const RequestItems = { [table]: puts.map(({ marshalled }) => ({ PutRequest: { Item: marshalled } })) };
      const { UnprocessedItems = {} } = await client.send(new BatchWriteItemCommand({ RequestItems }));
      const left = (UnprocessedItems[table] ?? []).flatMap(({ PutRequest }) =>
        PutRequest?.Item === undefined ? [] : [PutRequest.Item],
      );
      const names = new Set(left.map((item) => nameOf(unmarshalled(item))));
      return puts.filter(({ item }) => names.has(nameOf(item)));
    } catch (error) {
      const refusal = refusalOf(error);
      // A server error may be caused by one item, so each is tried alone once, but not again while everything
      // fails.
      const mayBeOneItem = refusal !== undefined || (isServerError(error) && !isSplit);
      if (mayBeOneItem && puts.length > 1) {
        isSplit = true;
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
