import { randomInt } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { recoverySchema } from '../../../core/message/recovery.ts';
import { blockedKeySchema } from '../../../core/ordering/blocked-ordering-key.ts';
import type { Overdue, OverdueItems } from '../../../core/ordering/overdue.ts';
import { paymentSequenceSchema } from '../../../core/sequence/payment-sequence.ts';
import { subscriptionSchema } from '../../../core/subscription/subscription.ts';
import { recoveryAddress } from '../history/recovery-table.ts';
import type { Item } from '../marshalled.ts';
import { queryPages } from '../query-pages.ts';
import { readable } from '../readable.ts';
import { sequenceAddress } from '../sequences/sequence-table.ts';
import { subscriptionAddress } from '../subscriptions/subscription-address.ts';
import { orderingKeysTable, sequencesTable, subscriptionsTable } from '../table-keys.ts';
import { moveCheck } from './check-mover.ts';
import { ALL_DUE_SHARDS } from './due-shard.ts';
import { orderingKeyAddress } from './ordering-key-item.ts';

/** Small enough that what was read is still current when it is processed. */
const PAGE_SIZE = 100;

/** What the index projects of a subscription. */
const overdueCircuitSchema = z.extend(
  z.pick(subscriptionSchema, { service_id: true, subscription_id: true, circuit: true }),
  { check_at: z.string() },
);

/** What it projects of a recovery. */
const overdueRecoverySchema = z.extend(
  z.pick(recoverySchema, { service_id: true, subscription_id: true, recovery_id: true, step: true }),
  { check_at: z.string() },
);

/** What it projects of an ordering key in a backlog. */
const agingKeySchema = z.object({
  ordering_key: z.string(),
  service_id: z.string(),
  subscription_id: z.string(),
  payment_id: z.string(),
  age_check_at: z.string(),
});

/** What it projects of a payment with a gap. */
const overdueGapSchema = z.extend(
  z.pick(paymentSequenceSchema, { service_id: true, payment_id: true, group: true }),
  { due_at: z.string(), check_at: z.string() },
);

const DUE = { partition: 'due_shard', sort: 'check_at' } as const;
const AGING = { partition: 'aging_shard', sort: 'age_check_at' } as const;

interface Tables {
  readonly orderingKeys: string;
  readonly subscriptions: string;
  readonly sequences: string;
}

/**
 * Reads the indexes of sweep. Items that cannot be read are skipped and passed to `onInternalError`: they
 * must not stop those behind them.
 */
export function overdueItems(
  client: DynamoDBClient,
  tables: Tables,
  onInternalError: (internalError: Error) => void,
  anyShard: () => number = () => randomInt(ALL_DUE_SHARDS.length),
): OverdueItems {
  async function* pagesOf(
    TableName: string,
    IndexName: string,
    { partition, sort }: typeof DUE | typeof AGING,
    until: string,
  ): AsyncGenerator<Item[]> {
    // Starts at another shard each time: when time runs out, it is not always the same ones that are left.
    const first = anyShard();
    for (const shard of [...ALL_DUE_SHARDS.slice(first), ...ALL_DUE_SHARDS.slice(0, first)]) {
      yield* queryPages(client, {
        TableName,
        IndexName,
        KeyConditionExpression: '#shard = :shard AND #check <= :until',
        ExpressionAttributeNames: { '#shard': partition, '#check': sort },
        ExpressionAttributeValues: marshall({ ':shard': shard, ':until': until }),
        Limit: PAGE_SIZE,
      });
    }
  }

  // Circuits and recoveries first: they are few, and each moves many ordering keys.
  async function* circuitsAndRecoveries(until: string): AsyncGenerator<readonly Overdue[]> {
    for await (const items of pagesOf(tables.subscriptions, subscriptionsTable.due, DUE, until)) {
      const recoveries = items.filter(isRecovery);
      const circuits = items.filter((item) => !isRecovery(item));
      yield [
        ...readable(circuits, overdueCircuitSchema, 'subscription_id', onInternalError).map(
          ({ check_at: checkAt, ...subscription }) => ({ kind: 'circuit' as const, subscription, checkAt }),
        ),
        ...readable(recoveries, overdueRecoverySchema, 'recovery_id', onInternalError).map(
          ({ check_at: checkAt, ...recovery }) => ({ kind: 'recovery' as const, recovery, checkAt }),
        ),
      ];
    }
  }

  async function* gaps(until: string): AsyncGenerator<readonly Overdue[]> {
    for await (const items of pagesOf(tables.sequences, sequencesTable.due, DUE, until)) {
      yield readable(items, overdueGapSchema, sequencesTable.partitionKey, onInternalError).map(
        ({ check_at: checkAt, ...payment }) => ({ kind: 'gap', payment, checkAt }),
      );
    }
  }

  async function* waitingKeys(until: string): AsyncGenerator<readonly Overdue[]> {
    for await (const items of pagesOf(tables.orderingKeys, orderingKeysTable.due, DUE, until)) {
      yield readable(items, blockedKeySchema, orderingKeysTable.partitionKey, onInternalError)
        .filter((key) => key.state === 'waiting')
        .map((key) => ({ kind: 'key', key, checkAt: key.check_at }));
    }
  }

  async function* agedKeys(until: string): AsyncGenerator<readonly Overdue[]> {
    for await (const items of pagesOf(tables.orderingKeys, orderingKeysTable.aging, AGING, until)) {
      yield readable(items, agingKeySchema, orderingKeysTable.partitionKey, onInternalError).map(
        ({ age_check_at: checkAt, ...key }) => ({ kind: 'aged_key', key, checkAt }),
      );
    }
  }

  return {
    async *overdue(until): AsyncGenerator<readonly Overdue[]> {
      const errors: unknown[] = [];
      for (const index of [circuitsAndRecoveries, gaps, waitingKeys, agedKeys]) {
        try {
          yield* index(until);
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) {
        throw errors[0];
      }
    },

    moveCheck: (overdue, to) =>
      moveCheck(client, {
        ...positionOf(overdue, tables),
        from: overdue.checkAt,
        to,
      }),
  };
}

/** The items of both are in one table and differ by their sort key. */
function isRecovery(item: Item): boolean {
  return String(item[subscriptionsTable.sortKey]).startsWith(subscriptionsTable.recoveryPrefix);
}

function positionOf(
  overdue: Overdue,
  { orderingKeys: keys, subscriptions, sequences }: Tables,
): Pick<Parameters<typeof moveCheck>[1], 'table' | 'address' | 'check'> {
  const check = 'check_at';
  switch (overdue.kind) {
    case 'key':
      return { table: keys, address: orderingKeyAddress(overdue.key.ordering_key), check };
    case 'aged_key':
      return { table: keys, address: orderingKeyAddress(overdue.key.ordering_key), check: 'age_check_at' };
    case 'circuit':
      return { table: subscriptions, address: subscriptionAddress(overdue.subscription), check };
    case 'recovery':
      return { table: subscriptions, address: recoveryAddress(overdue.recovery), check };
    case 'gap':
      return { table: sequences, address: sequenceAddress(overdue.payment), check };
  }
}
