import type { Circuit } from '../circuit/circuit.ts';
import type { Recovery } from '../message/recovery.ts';
import type { PaymentSequence } from '../sequence/payment-sequence.ts';
import type { GapTimes } from '../sequence/ports.ts';
import type { OrderingKeyName } from '../signal/signal.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { BlockedKey } from './blocked-ordering-key.ts';
import type { FirstInBacklog } from './waiting-work.ts';

export type WaitingKey = Extract<BlockedKey, { state: 'waiting' }>;

/**
 * Something whose check has passed, as an index has it, with the `check_at` (or `age_check_at`) that was
 * read.
 */
export type Overdue =
  | { readonly kind: 'key'; readonly key: WaitingKey; readonly checkAt: string }
  /** In the backlog, and its oldest message is over age. */
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
    }
  /** A payment whose next numbered event is missing while later ones wait. */
  | {
      readonly kind: 'gap';
      readonly payment: Pick<PaymentSequence, 'service_id' | 'payment_id' | 'group'> &
        Pick<GapTimes, 'due_at'>;
      readonly checkAt: string;
    };

/** What it is about: a subscription, a payment, or both. */
export function subjectOf(
  overdue: Overdue,
): Pick<Subscription, 'service_id'> & Partial<Pick<OrderingKeyName, 'subscription_id' | 'payment_id'>> {
  switch (overdue.kind) {
    case 'key':
    case 'aged_key':
      return overdue.key;
    case 'circuit':
      return overdue.subscription;
    case 'recovery':
      return overdue.recovery;
    case 'gap':
      return overdue.payment;
  }
}

export interface OverdueItems {
  /**
   * What is overdue at an instant (ISO 8601), the oldest of each shard first; shard after shard, page after
   * page. An index that cannot be read does not keep the others from being read: its error comes at the end.
   */
  overdue(until: string): AsyncIterable<readonly Overdue[]>;
  /** Moves its check on to an instant (ISO 8601); false when it is not what was read any more. */
  moveCheck(overdue: Overdue, checkAt: string): Promise<boolean>;
}

export interface WaitingItems {
  /**
   * When blocked ordering keys are due that wait for their time: of all, or of the `max` that sweep checks
   * first.
   */
  dueAts(max: number): Promise<readonly string[]>;
  /** How many ordering keys wait for an operator, counted up to `max`. */
  stuckKeys(max: number): Promise<number>;
  /** All circuits with a timer, or `max` of them. */
  timedCircuits(
    max: number,
  ): Promise<readonly { readonly subscription_id: string; readonly circuit: Circuit }[]>;
  firstInBacklog(subscriptionId: string): Promise<FirstInBacklog | undefined>;
}
