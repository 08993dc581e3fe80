import type { KeptSecrets } from '../attempt/signing-keys.ts';
import { endpointHealthOf } from '../circuit/endpoint-health.ts';
import type { EndpointHealth } from '../circuit/health-shape.ts';
import type { EndpointHealthStore } from '../subscription/ports.ts';
import type { Revision } from '../subscription/secret-rotation.ts';
import {
  MAX_SUBSCRIPTIONS_PER_SERVICE,
  type Subscription,
  withEndpointHealth,
} from '../subscription/subscription.ts';
import type { Answer } from './answer.ts';

/**
 * The subscriptions of all services. Every call names a service and sees only its subscriptions. A deleted
 * subscription is neither found, listed nor counted. Secrets are written here and never read.
 */
export interface SubscriptionRegistry {
  /**
   * Adds a subscription with its route and its secrets, all or nothing. `full` when the service has the
   * maximum number.
   *
   * @throws ContendedError
   */
  add(subscription: Subscription, secrets: KeptSecrets): Promise<'added' | 'full'>;
  /** All subscriptions of a service, in no particular order. */
  list(serviceId: string): Promise<Subscription[]>;
  find(serviceId: string, subscriptionId: string): Promise<Subscription | undefined>;
  /**
   * Writes what `decide` makes of a subscription, all or nothing, as its next revision. Optimistic lock: if
   * the subscription has changed, `decide` is called again with the current one. A change of the circuit
   * alone conflicts only if `decide` changes endpoint health. Writes nothing when `decide` refuses or returns
   * its argument. The state `deleted` removes route and secrets; the subscription itself stays, invisible,
   * until all its waiting messages are cancelled.
   *
   * @returns the refusal of `decide`; undefined when the subscription does not exist or is deleted
   * @throws ContendedError
   */
  revise(subscription: Subscription, decide: Deciding): Promise<Revised | Answer | undefined>;
}

export type Deciding = (current: Subscription) => Revision | Answer;

export interface Revised {
  readonly before: Subscription;
  /** The same object when nothing has changed. */
  readonly after: Subscription;
}

export interface EndpointHealthChange {
  readonly before: EndpointHealth;
  readonly after: EndpointHealth;
}

/** A subscription with the next revision number. */
export function nextRevision(before: Subscription, after: Subscription): Subscription {
  return { ...after, revision: (before.revision ?? 1) + 1 };
}

/**
 * Keeps the promises of the port, in memory, and exposes the secrets, which only `deliver` may read. Its
 * circuits can be operated, too.
 */
export function inMemoryRegistry(): SubscriptionRegistry &
  Pick<EndpointHealthStore, 'changeEndpointHealth'> & {
    readonly secrets: ReadonlyMap<string, KeptSecrets>;
  } {
  const kept = new Map<string, Subscription>();
  const secrets = new Map<string, KeptSecrets>();
  const of = (serviceId: string) =>
    [...kept.values()].filter(({ service_id, state }) => service_id === serviceId && state !== 'deleted');
  const one = (serviceId: string, subscriptionId: string) =>
    of(serviceId).find(({ subscription_id }) => subscription_id === subscriptionId);
  return {
    secrets,
    find: async (serviceId, subscriptionId) => one(serviceId, subscriptionId),
    list: async (serviceId) => of(serviceId),
    add: async (subscription, keptSecrets) => {
      if (of(subscription.service_id).length >= MAX_SUBSCRIPTIONS_PER_SERVICE) {
        return 'full';
      }
      kept.set(subscription.subscription_id, subscription);
      secrets.set(subscription.subscription_id, keptSecrets);
      return 'added';
    },
    revise: async ({ service_id, subscription_id }, decide) => {
      const before = one(service_id, subscription_id);
      if (before === undefined) {
        return undefined;
      }
      const decided = decide(before);
      if ('status' in decided) {
        return decided;
      }
      if (decided.subscription === before) {
        return { before, after: before };
      }
      const after = nextRevision(before, decided.subscription);
      kept.set(subscription_id, after);
      if (after.state === 'deleted') {
        secrets.delete(subscription_id);
      } else {
        secrets.set(subscription_id, changed(secrets.get(subscription_id)!, decided.secrets));
      }
      return { before, after };
    },
    changeEndpointHealth: async ({ service_id, subscription_id }, change) => {
      const current = one(service_id, subscription_id);
      if (current === undefined) {
        return undefined;
      }
      const before = endpointHealthOf(current);
      const after = change(before);
      if (after !== before) {
        kept.set(subscription_id, withEndpointHealth(current, after));
      }
      return { before, after };
    },
  };
}

function changed(before: KeptSecrets, change: Revision['secrets'] = {}): KeptSecrets {
  const { added, expiring = {}, removed = [], customHeaders } = change;
  const staying = Object.entries(before.secrets)
    .filter(([id]) => !removed.includes(id))
    .map(([id, keys]) => {
      const expires_at = expiring[id];
      return [id, expires_at === undefined ? keys : { ...keys, expires_at }] as const;
    });
  return {
    ...before,
    secrets: Object.fromEntries([
      ...staying,
      ...(added === undefined ? [] : [[added.info.secret_id, added.keys] as const]),
    ]),
    ...(customHeaders === undefined ? {} : { custom_headers: { ...customHeaders } }),
  };
}
