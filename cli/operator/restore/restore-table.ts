import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { isThrottled } from '../../../functions/adapters/dynamodb/refusal.ts';
import { batchGet } from '../../../functions/adapters/dynamodb/table-batch.ts';
import { SLEEPS_MS, untilDone } from '../../../functions/adapters/dynamodb/until-done.ts';
import { isOlder, numberAt, type Restorable } from './restorable.ts';
import type { Counts } from './restore-report.ts';

type Position = Readonly<Record<string, string>>;

interface Reading {
  readonly from: string;
  readonly perSecond: number;
  readonly after?: Position | undefined;
}

const LARGEST_PAGE = 100;

/**
 * Pauses while somebody else is writing the same item, or a table is throttled; up to half a minute: nobody
 * waits.
 */
export const PATIENCE_MS: readonly number[] = [...SLEEPS_MS, 1_600, 3_200, 6_400, 8_000, 8_000];

/**
 * The items of a restored table, page by page, at most `perSecond`; each page with the position behind it,
 * absent at the end.
 */
export async function* restoredItems(
  client: DynamoDBClient,
  { from, perSecond, after }: Reading,
): AsyncGenerator<{ readonly items: readonly Item[]; readonly position: Position | undefined }> {
  let start: Record<string, AttributeValue> | undefined = after && marshall(after);
  const Limit = Math.min(LARGEST_PAGE, perSecond);
  do {
    const startedAt = performance.now();
    const { Items = [], LastEvaluatedKey } = await client.send(
      // Nobody else uses a restored table, so a scan does no harm.
      new ScanCommand({
        TableName: from,
        Limit,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    start = LastEvaluatedKey;
    const position = start && (unmarshall(start) as Position);
    yield { items: Items.map((item) => unmarshall(item)), position };
    if (start !== undefined) {
      await delay(Math.max(0, (1_000 * Items.length) / perSecond - (performance.now() - startedAt)));
    }
  } while (start !== undefined);
}

interface Copying {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly what: Restorable;
  /** Whether anything is written. */
  readonly goes: boolean;
  readonly nowMs: number;
  /**
   * Writes a missing item where a put is not enough; false when somebody else was faster. @default - a put
   */
  readonly put?: (item: Item) => Promise<boolean>;
  /** What replaces an item that has changed since and still lacks something. @default - nothing */
  readonly mended?: (restored: Item, there: Item) => Promise<Item | undefined>;
}

/** Copies those items of a page that are missing or older, and counts. */
export async function copyPage(
  items: readonly Item[],
  counts: Counts,
  {
    client,
    table,
    what,
    goes,
    nowMs,
    put = (item) => putWhere(client, table, what, item, undefined),
    mended = async () => undefined,
  }: Copying,
): Promise<void> {
  const addressOf = (item: Item) => addressIn(item, what);
  const known = (await batchGet(client, [{ table, keys: items.map(addressOf) }])).get(table) ?? [];
  const { over = (restored: Item) => restored } = what;
  const live = new Map(known.map((item) => [JSON.stringify(addressOf(item)), item]));
  for (const item of items) {
    counts.lookedAt += 1;
    const there = live.get(JSON.stringify(addressOf(item)));
    const found = kindOf(there, item, what, nowMs);
    const mend = found === 'newer' && there !== undefined ? await mended(item, there) : undefined;
    const kind = mend === undefined ? found : 'older';
    const isWritten =
      !goes ||
      (kind === 'missing' && (await put(item))) ||
      (kind === 'older' &&
        there !== undefined &&
        (await putWhere(client, table, what, mend ?? over(item, there), there)));
    counts[kind === 'missing' || kind === 'older' ? (isWritten ? kind : 'overtaken') : kind] += 1;
  }
}

function kindOf(
  live: Item | undefined,
  restored: Item,
  what: Restorable,
  nowMs: number,
): 'missing' | 'older' | 'same' | 'newer' | 'expired' {
  if (isExpired(restored, what.keys, nowMs)) {
    return 'expired';
  }
  if (live === undefined) {
    return 'missing';
  }
  if (isDeepStrictEqual(live, restored)) {
    return 'same';
  }
  return isOlder(live, restored, what) ? 'older' : 'newer';
}

/** Whether its time to live has passed. */
export function isExpired(item: Item, { timeToLive }: Restorable['keys'], nowMs: number): boolean {
  const until = timeToLive === undefined ? undefined : item[timeToLive];
  return typeof until === 'number' && until * 1_000 <= nowMs;
}

/**
 * Puts an item where there is none, or over the one that was read; false when it has changed since. A
 * transaction that is just writing it, and throttling, are waited for.
 */
export async function putWhere(
  client: DynamoDBClient,
  table: string,
  what: Pick<Restorable, 'keys' | 'counters'>,
  item: Item,
  there: Item | undefined,
): Promise<boolean> {
  const counters = there === undefined ? [] : (what.counters ?? []);
  const names = [...new Set(counters.flat())];
  const clauses = counters.map((path, index) => {
    const name = path.map((part) => `#${part}`).join('.');
    return numberAt(there as Item, path) === 0
      ? `(attribute_not_exists(${name}) OR ${name} = :c${index})`
      : `${name} = :c${index}`;
  });
  const Item = marshall(item, { removeUndefinedValues: true });
  const command = new PutItemCommand({
    TableName: table,
    Item,
    ConditionExpression:
      there === undefined
        ? 'attribute_not_exists(#key)'
        : ['attribute_exists(#key)', ...clauses].join(' AND '),
    ExpressionAttributeNames: {
      '#key': what.keys.partitionKey,
      ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
    },
    ...(counters.length === 0
      ? {}
      : {
          ExpressionAttributeValues: marshall(
            Object.fromEntries(counters.map((path, index) => [`:c${index}`, numberAt(there as Item, path)])),
          ),
        }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  let passing: unknown;
  let isWritten = false;
  const left = await untilDone(
    command,
    async () => {
      try {
        await client.send(command);
        isWritten = true;
      } catch (error) {
        if (error instanceof TransactionConflictException || isThrottled(error)) {
          passing = error;
          return command;
        }
        if (!(error instanceof ConditionalCheckFailedException)) {
          throw error;
        }
        // A call whose response was lost is repeated, and then meets its own write.
        isWritten = error.Item !== undefined && isDeepStrictEqual(unmarshall(error.Item), unmarshall(Item));
      }
      return undefined;
    },
    PATIENCE_MS,
  );
  if (left !== undefined) {
    throw passing;
  }
  return isWritten;
}

function addressIn(item: Item, { keys: { partitionKey, sortKey } }: Restorable): Item {
  return {
    [partitionKey]: item[partitionKey],
    ...(sortKey === undefined ? {} : { [sortKey]: item[sortKey] }),
  };
}
