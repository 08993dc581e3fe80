import type { Subscription } from '../../../core/subscription/subscription.ts';
import type { Item } from '../marshalled.ts';
import { subscriptionsTable } from '../table-keys.ts';

/** Identifies a subscription and its service. */
export type SubscriptionName = Pick<Subscription, 'service_id' | 'subscription_id'>;

export function subscriptionAddress({ service_id, subscription_id }: SubscriptionName): Item {
  return { [subscriptionsTable.partitionKey]: service_id, [subscriptionsTable.sortKey]: subscription_id };
}
