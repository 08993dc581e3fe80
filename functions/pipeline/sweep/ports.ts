import type { Recovery } from '../../core/message/recovery.ts';
import type { BlockedKey } from '../../core/ordering/blocked-ordering-key.ts';
import type { OrderingKeyName, Timer } from '../../core/ordering/signal.ts';
import type { Subscription } from '../../core/subscription/subscription.ts';

export type WaitingKey = Extract<BlockedKey, { state: 'waiting' }>;

/** Something whose check has passed, as an index has it, with the `check_at` that was read; of an aged key, the `age_check_at`. */
export type Overdue =
  | { readonly kind: 'key'; readonly key: WaitingKey; readonly checkAt: string }
  /** In line, and its oldest message is over age. */
  | {
      readonly kind: 'aged_key';
      readonly key: OrderingKeyName & { readonly ordering_key: string };
      readonly checkAt: string;
    }
  | {
      readonly kind: 'circuit';
      readonly subscription: Pick<Subscription, 'service_id' | 'subscription_id' | 'circuit'>;
      readonly checkAt: string;
    }
  | {
      readonly kind: 'recovery';
      readonly recovery: Pick<Recovery, 'service_id' | 'subscription_id' | 'recovery_id' | 'step'>;
      readonly checkAt: string;
    };

/** Whose it is. */
export function subscriptionNameOf(overdue: Overdue): Pick<Subscription, 'service_id' | 'subscription_id'> {
  switch (overdue.kind) {
    case 'key':
    case 'aged_key':
      return overdue.key;
    case 'circuit':
      return overdue.subscription;
    case 'recovery':
      return overdue.recovery;
  }
}

export interface SweepPorts {
  /** What is overdue at an instant (ISO 8601), the oldest of each shard first; shard after shard, page after page. */
  overdue(until: string): AsyncIterable<readonly Overdue[]>;
  /** Moves its check on to an instant (ISO 8601); false when it is not what was read any more. */
  moveCheck(overdue: Overdue, checkAt: string): Promise<boolean>;
  /** Sends timers on their way; rejects when one was not taken. */
  arm(armings: readonly { readonly timer: Timer; readonly dueAtMs: number }[]): Promise<void>;
  observer: {
    /** How many were found and woken, how late the latest was in ms, and whether time ran out before the end. */
    swept(swept: {
      readonly found: number;
      readonly woken: number;
      readonly latestMs: number;
      readonly isComplete: boolean;
    }): void;
    internalError(error: unknown, overdue: Overdue): void;
  };
  now(): number;
}
