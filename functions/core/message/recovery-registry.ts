import type { RecoveryStore } from './ports.ts';
import type { Recovery } from './recovery.ts';

/** The newest recovery of each subscription. Does not check who asks: see `owned.ts`. */
export interface RecoveryRegistry extends RecoveryStore {
  /** Stores a recovery in place of an earlier one. If that is still running, returns it instead. */
  start(
    recovery: Recovery,
  ): Promise<{ readonly kind: 'started' } | { readonly kind: 'running'; readonly other: Recovery }>;
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
    async advance({ subscription_id, recovery_id, step }, after) {
      const now = newest.get(subscription_id);
      const isThere = now?.recovery_id === recovery_id && now.step === step;
      if (isThere) {
        newest.set(subscription_id, after);
      }
      return isThere;
    },
  };
}
