import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import type { DeliveryReader } from '../../core/ordering/delivery-reader.ts';
import type { Backlog, LeaseStore, OrderingKeyStore } from '../../core/ordering/ports.ts';
import type { Signal } from '../../core/signal/signal.ts';
import type { Subscription } from '../../core/subscription/subscription.ts';

/** What it takes to hand messages to a partner who fetches them, and to hear what became of them. */
export interface FeedPorts
  extends DeliveryReader,
    Pick<OrderingKeyStore, 'waitingIn'>,
    Pick<Backlog, 'backlog'>,
    LeaseStore {
  /** Sends signals to their ordering keys' groups. Never rejects: sweep finds what got none. */
  signal(signals: readonly Signal[]): Promise<unknown>;
  /** Puts off the end of a subscription that expires: its feed is asked. Writes once in a while. */
  extend(subscription: Subscription): Promise<void>;
  readonly policy: Pick<DeliveryPolicy, 'totalAgeMs'>;
  now(): number;
  /** A new id that nobody can guess, of at most 40 characters of base64url. */
  newId(): string;
}
