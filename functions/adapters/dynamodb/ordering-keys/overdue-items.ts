import { randomInt } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { Overdue, OverdueItems } from '../../../core/signal/overdue.ts';
import { timerSchema } from '../../../core/signal/timer.ts';
import { queryPages } from '../query-pages.ts';
import { readable } from '../readable.ts';
import { orderingKeysTable, sequencesTable, subscriptionsTable } from '../table-keys.ts';
import { moveCheck } from './check-mover.ts';
import { ALL_DUE_SHARDS } from './due-shard.ts';

/** Small enough that what was read is still current when it is processed. */
const PAGE_SIZE = 100;

const DUE = { shard: 'due_shard', check: 'check_at' } as const;
const AGING = { shard: 'aging_shard', check: 'age_check_at' } as const;

/** Circuits and recoveries first: they are few, and each moves many ordering keys. `id`: what errors name. */
const INDEXES = [
  { of: 'subscriptions', ...subscriptionsTable, index: subscriptionsTable.due, ...DUE, id: 'item' },
  { of: 'sequences', ...sequencesTable, index: sequencesTable.due, ...DUE, id: 'payment' },
  { of: 'orderingKeys', ...orderingKeysTable, index: orderingKeysTable.due, ...DUE, id: 'ordering_key' },
  { of: 'orderingKeys', ...orderingKeysTable, index: orderingKeysTable.aging, ...AGING, id: 'ordering_key' },
] as const;
type Index = (typeof INDEXES)[number];

/**
 * Reads the indexes of sweep. Items that cannot be read are skipped and passed to `onInternalError`: they
 * must not stop those behind them.
 */
export function overdueItems(
  client: DynamoDBClient,
  tables: Readonly<Record<Index['of'], string>>,
  onInternalError: (internalError: Error) => void,
  anyShard: () => number = () => randomInt(ALL_DUE_SHARDS.length),
): OverdueItems {
  async function* overdueIn(index: Index, until: string): AsyncGenerator<readonly Overdue[]> {
    // Starts at another shard each time: when time runs out, it is not always the same ones that are left.
    const first = anyShard();
    for (const shard of [...ALL_DUE_SHARDS.slice(first), ...ALL_DUE_SHARDS.slice(0, first)]) {
      const pages = queryPages(client, {
        TableName: tables[index.of],
        IndexName: index.index,
        KeyConditionExpression: '#shard = :shard AND #check <= :until',
        ExpressionAttributeNames: { '#shard': index.shard, '#check': index.check },
        ExpressionAttributeValues: marshall({ ':shard': shard, ':until': until }),
        Limit: PAGE_SIZE,
      });
      for await (const items of pages) {
        yield readable(items, overdueSchema(index, tables[index.of]), index.id, onInternalError);
      }
    }
  }

  return {
    async *overdue(until): AsyncGenerator<readonly Overdue[]> {
      const errors: unknown[] = [];
      for (const index of INDEXES) {
        try {
          yield* overdueIn(index, until);
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) {
        throw errors[0];
      }
    },

    moveCheck: ({ place, checkAt }, to) => moveCheck(client, { ...place, from: checkAt, to }),
  };
}

/** What the index projects of each item, whatever it is. */
function overdueSchema({ partitionKey, sortKey, check }: Index, table: string) {
  return z.pipe(
    z.looseObject({ timer: timerSchema, due_at: z.optional(z.string()) }),
    z.transform(
      ({ timer, due_at: dueAt, ...item }): Overdue => ({
        timer,
        ...(dueAt === undefined ? {} : { dueAt }),
        checkAt: String(item[check]),
        place: { table, address: { [partitionKey]: item[partitionKey], [sortKey]: item[sortKey] }, check },
      }),
    ),
  );
}
