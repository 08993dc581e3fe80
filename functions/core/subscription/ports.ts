import type { EndpointHealth } from '../circuit/health-shape.ts';
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

export interface EndpointHealthStore {
  /**
   * Changes the health of an endpoint under an optimistic lock: if another writer was faster, once more on
   * what is stored now. Writes nothing when `change` answers its argument. Undefined: there is no such
   * subscription any more.
   */
  changeEndpointHealth(
    subscription: Subscription,
    change: (health: EndpointHealth) => EndpointHealth,
  ): Promise<{ readonly before: EndpointHealth; readonly after: EndpointHealth } | undefined>;
  /** Writes the health of an endpoint once; false when it is not `before` any more. */
  replaceEndpointHealth(
    subscription: Subscription,
    before: EndpointHealth,
    after: EndpointHealth,
  ): Promise<boolean>;
}
