import { type Standing, standingOf } from '../core/standing.ts';
import { MAX_SUBSCRIPTIONS_PER_SERVICE, type Subscription } from '../core/subscription.ts';
import { withStanding } from './with-standing.ts';

/**
 * The subscriptions of all services. Whoever asks names the service, and sees nothing of any other. A deleted subscription is not there:
 * it is neither found nor listed, and does not count.
 */
export interface SubscriptionRegistry {
  /**
   * Takes a subscription in, with its route and its signing secret, all or nothing. `full` when the service has as many as it may.
   *
   * @throws ContendedError
   */
  add(subscription: Subscription, signingSecret: string): Promise<'added' | 'full'>;
  /** All of a service's, in no particular order. */
  list(serviceId: string): Promise<Subscription[]>;
  find(serviceId: string, subscriptionId: string): Promise<Subscription | undefined>;
  /**
   * Changes how a subscription stands, on condition that nobody else has since it was read; where somebody has, anew on what stands there now.
   * Writes nothing when `change` answers its argument; undefined when there is no such subscription.
   *
   * @throws ContendedError
   */
  changeStanding(subscription: Subscription, change: ChangeOfStanding): Promise<StandingChange | undefined>;
  /**
   * Ends a subscription, all or nothing: its route and its secrets go, and it stays, out of everybody's sight, as `end` makes it stand, until
   * whatever waits for it has been cancelled. Undefined when there is no such subscription, or no more.
   *
   * @throws ContendedError
   */
  remove(subscription: Subscription, end: ChangeOfStanding): Promise<StandingChange | undefined>;
}

export type ChangeOfStanding = (standing: Standing) => Standing;

export interface StandingChange {
  readonly before: Standing;
  readonly after: Standing;
}

/** Keeps the promises of the port, in memory. */
export function inMemoryRegistry(): SubscriptionRegistry {
  const kept = new Map<string, Subscription>();
  const of = (serviceId: string) =>
    [...kept.values()].filter(({ service_id, state }) => service_id === serviceId && state !== 'deleted');
  const one = (serviceId: string, subscriptionId: string) =>
    of(serviceId).find(({ subscription_id }) => subscription_id === subscriptionId);
  const changeStanding = async (
    { service_id, subscription_id }: Subscription,
    change: ChangeOfStanding,
  ): Promise<StandingChange | undefined> => {
    const subscription = one(service_id, subscription_id);
    if (subscription === undefined) {
      return undefined;
    }
    const before = standingOf(subscription);
    const after = change(before);
    if (after !== before) {
      kept.set(subscription_id, withStanding(subscription, after));
    }
    return { before, after };
  };
  return {
    find: async (serviceId, subscriptionId) => one(serviceId, subscriptionId),
    list: async (serviceId) => of(serviceId),
    add: async (subscription) => {
      if (of(subscription.service_id).length >= MAX_SUBSCRIPTIONS_PER_SERVICE) {
        return 'full';
      }
      kept.set(subscription.subscription_id, subscription);
      return 'added';
    },
    changeStanding,
    remove: changeStanding,
  };
}
