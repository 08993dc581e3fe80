import { MAX_SUBSCRIPTIONS_PER_SERVICE, type Subscription } from '../core/subscription.ts';

/** The subscriptions of all services. Whoever asks names the service, and sees nothing of any other. */
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
   * Removes a subscription, its route and its secrets, all or nothing; false when the service has no such.
   *
   * @throws ContendedError
   */
  remove(serviceId: string, subscriptionId: string): Promise<boolean>;
}

/** Others changed the subscriptions of the service again and again at the same time. */
export class ContendedError extends Error {
  override readonly name = 'ContendedError';
  constructor(tries: number) {
    super(`the subscriptions of this service changed under each of ${tries} tries`);
  }
}

/** Keeps the promises of the port, in memory. */
export function inMemoryRegistry(): SubscriptionRegistry {
  const kept = new Map<string, Subscription>();
  const of = (serviceId: string) => [...kept.values()].filter(({ service_id }) => service_id === serviceId);
  const find = async (serviceId: string, subscriptionId: string) =>
    of(serviceId).find(({ subscription_id }) => subscription_id === subscriptionId);
  return {
    find,
    list: async (serviceId) => of(serviceId),
    add: async (subscription) => {
      if (of(subscription.service_id).length >= MAX_SUBSCRIPTIONS_PER_SERVICE) {
        return 'full';
      }
      kept.set(subscription.subscription_id, subscription);
      return 'added';
    },
    remove: async (serviceId, subscriptionId) =>
      (await find(serviceId, subscriptionId)) !== undefined && kept.delete(subscriptionId),
  };
}
