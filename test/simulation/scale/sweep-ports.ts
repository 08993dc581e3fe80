import { ALL_DUE_SHARDS } from '../../../functions/adapters/dynamodb/ordering-keys/due-shard.ts';
import { orderingKeysTable, subscriptionsTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import {
  type Overdue,
  type SweepPorts,
  subscriptionNameOf,
} from '../../../functions/pipeline/sweep/ports.ts';
import { keyOf, moveCheck } from './paused-keys.ts';
import type { Shore } from './shore.ts';
import { sendTimers } from './shore.ts';
import { subscriptionOf } from './tables.ts';

/** So many are read of a shard at a time; more are left to the next run. */
const PAGE = 100;

export function sweepPorts(shore: Shore): SweepPorts {
  const { calls, observations } = shore;
  const { clock, tables } = calls;
  return {
    async *overdue(until) {
      for (const shard of ALL_DUE_SHARDS) {
        const items = await calls.table('Query', () =>
          tables.subscriptions.index(subscriptionsTable.due).query(shard, PAGE, { until }),
        );
        yield items.map(
          (item): Overdue => ({
            kind: 'circuit',
            subscription: subscriptionOf(item)!,
            checkAt: String(item.check_at),
          }),
        );
      }
      for (const shard of ALL_DUE_SHARDS) {
        const items = await calls.table('Query', () =>
          tables.keys.index(orderingKeysTable.due).query(shard, PAGE, { until }),
        );
        yield items
          .map(keyOf)
          .flatMap((key) =>
            key?.state === 'waiting' ? [{ kind: 'key', key, checkAt: key.check_at } as const] : [],
          );
      }
      for (const shard of ALL_DUE_SHARDS) {
        const items = await calls.table('Query', () =>
          tables.keys.index(orderingKeysTable.aging).query(shard, PAGE, { until }),
        );
        yield items
          .map(keyOf)
          .flatMap((key) =>
            key?.state === 'in_line' && key.age_check_at !== undefined
              ? [{ kind: 'aged_key', key, checkAt: key.age_check_at } as const]
              : [],
          );
      }
    },
    moveCheck: (overdue, checkAt) =>
      calls.table('UpdateItem', () => {
        if (overdue.kind === 'key') {
          return moveCheck(tables, overdue.key.ordering_key, overdue.checkAt, checkAt);
        }
        if (overdue.kind === 'aged_key') {
          return moveCheck(tables, overdue.key.ordering_key, overdue.checkAt, checkAt, 'age_check_at');
        }
        const { service_id, subscription_id } = subscriptionNameOf(overdue);
        const item = tables.subscriptions.peek(service_id, subscription_id);
        if (item?.check_at !== overdue.checkAt) {
          tables.subscriptions.check(service_id, subscription_id, 1);
          return false;
        }
        tables.subscriptions.put({ ...item, check_at: checkAt }, 1);
        return true;
      }),
    arm: (armings) => sendTimers(armings, shore),
    observer: { swept: () => {}, internalError: (error) => observations.fault(error) },
    now: () => Math.round(clock.now()),
  };
}
