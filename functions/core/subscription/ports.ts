import type { StuckPayments } from '../stuck/stuck-payments.ts';
import type { Route, Subscription } from './subscription.ts';

export interface Subscriptions {
  /** Strongly consistent; undefined when there is no such subscription. */
  subscription(name: Pick<Subscription, 'service_id' | 'subscription_id'>): Promise<Subscription | undefined>;
  /** Strongly consistent. A service without subscriptions is in none of the three. */
  routesOf(serviceIds: readonly string[]): Promise<{
    readonly routes: ReadonlyMap<string, readonly Route[]>;
    /**
     * Services whose routing item cannot be read, with a sentence in which nothing an outsider wrote stands
     * unescaped.
     */
    readonly unreadable: ReadonlyMap<string, string>;
    /** Services whose routes could not be read now: the table or a partition is throttled. */
    readonly untaken: ReadonlySet<string>;
    /** Of services whose events have waited for an operator. */
    readonly stuck: ReadonlyMap<string, StuckPayments>;
  }>;
}
