import type { Subscription } from '../subscription/subscription.ts';
import type { Recovery } from './recovery.ts';

/** The newest recovery of each subscription. Does not check who asks: see `owned.ts`. */
export interface RecoveryRegistry {
  /** Stores a recovery in place of an earlier one. If that is still running, returns it instead. */
  start(
    recovery: Recovery,
  ): Promise<{ readonly kind: 'started' } | { readonly kind: 'running'; readonly other: Recovery }>;
  find(subscription: Pick<Subscription, 'service_id' | 'subscription_id'>): Promise<Recovery | undefined>;
}

/** Keeps the promises of the port, in memory. */
export function inMemoryRecoveries(): RecoveryRegistry {
  const newest = new Map<string, Recovery>();
  return {
    async start(recovery) {
      const other = newest.get(recovery.subscription_id);
      if (other?.state === 'running') {
        return { kind: 'running', other };
      }
      newest.set(recovery.subscription_id, recovery);
      return { kind: 'started' };
    },
    find: async ({ subscription_id }) => newest.get(subscription_id),
  };
}
