import type { Item } from '../../../../functions/adapters/dynamodb/marshalled.ts';
import { dueAttributes } from '../../../../functions/adapters/dynamodb/subscriptions/endpoint-health-update.ts';
import {
  historyTable,
  orderingKeysTable,
  signingSecretsTable,
  subscriptionsTable,
} from '../../../../functions/adapters/dynamodb/table-keys.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { INDEXED_ATTRIBUTES } from '../../../../functions/core/message/history.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import type { TablePlan } from './table-units.ts';

/** The tables, with the indexes that the stack gives them. */
export const TABLE_PLANS = {
  subscriptions: {
    name: 'Subscriptions',
    ...subscriptionsTable,
    indexes: [
      index(subscriptionsTable.due, 'due_shard', 'check_at', ['timer', 'subscription_id', 'circuit']),
    ],
  },
  secrets: { name: 'SigningSecrets', ...signingSecretsTable },
  history: {
    name: 'History',
    ...historyTable,
    indexes: [
      index(historyTable.bySubscription, 'subscription_id', 'admitted_at', [
        ...INDEXED_ATTRIBUTES,
        'payment_id',
      ]),
      index(historyTable.undelivered, 'undelivered', 'admitted_at', [...INDEXED_ATTRIBUTES, 'payment_id']),
    ],
  },
  keys: {
    name: 'OrderingKeys',
    ...orderingKeysTable,
    indexes: [
      index(orderingKeysTable.backlog, 'backlog_of', 'backlogged_at', 'all'),
      index(orderingKeysTable.due, 'due_shard', 'check_at', 'all'),
      index(orderingKeysTable.aging, 'aging_shard', 'age_check_at', ['timer']),
    ],
  },
} as const satisfies Record<string, TablePlan>;

/** A subscription as the table holds it: in the index of what is due while its circuit has a timer. */
export function subscriptionItem(subscription: Subscription): Item {
  return {
    ...subscription,
    item: subscription.subscription_id,
    ...dueAttributes(subscription, subscription.circuit, DELIVERY_POLICY.graceMs),
  };
}

function index(
  name: string,
  partitionKey: string,
  sortKey: string,
  attributes: readonly string[] | 'all' | 'none',
) {
  return { name, partitionKey, sortKey, attributes };
}
