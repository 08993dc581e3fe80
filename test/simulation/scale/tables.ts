import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { dueShard } from '../../../functions/adapters/dynamodb/ordering-keys/due-shard.ts';
import {
  historyTable,
  orderingKeysTable,
  signingSecretsTable,
  subscriptionsTable,
} from '../../../functions/adapters/dynamodb/table-keys.ts';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import { INDEXED_ATTRIBUTES } from '../../../functions/core/message/history.ts';
import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { keptSecrets } from '../../support/builders.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Meter } from './meter.ts';
import { MeteredTable } from './metered-table.ts';

/** All tables, with the indexes that the stack gives them. */
export class Tables {
  readonly subscriptions: MeteredTable;
  readonly signingSecrets: MeteredTable;
  readonly history: MeteredTable;
  readonly keys: MeteredTable;
  #waitMs = 0;

  constructor(meter: Meter, clock: VirtualClock) {
    const onThrottled = (waitMs: number) => {
      this.#waitMs = Math.max(this.#waitMs, waitMs);
    };
    const table = (
      name: string,
      options: Omit<ConstructorParameters<typeof MeteredTable>[0], 'name' | 'onThrottled'>,
    ) => new MeteredTable({ name, onThrottled, ...options }, meter, clock);
    this.subscriptions = table('Subscriptions', {
      ...subscriptionsTable,
      indexes: [
        index('due', 'due_shard', 'check_at', ['subscription_id', 'circuit', 'recovery_id', 'step'], true),
      ],
    });
    this.signingSecrets = table('SigningSecrets', signingSecretsTable);
    this.history = table('History', {
      ...historyTable,
      indexes: [
        index('by_subscription', 'subscription_id', 'admitted_at', [...INDEXED_ATTRIBUTES, 'payment_id']),
        index('by_payment', 'payment_id', 'admitted_at', [...INDEXED_ATTRIBUTES, 'subscription_id']),
        index('unsuccessful', 'unsuccessful_on', 'ended_at', [
          ...INDEXED_ATTRIBUTES,
          'subscription_id',
          'payment_id',
        ]),
        index('waiting', 'waiting_for', 'admitted_at', 'none', true),
      ],
    });
    this.keys = table('Keys', {
      ...orderingKeysTable,
      indexes: [
        index('line', 'line', 'parked_at', 'all', true),
        index('due', 'due_shard', 'check_at', 'all', true),
        index('aging', 'aging_shard', 'age_check_at', ['service_id', 'subscription_id', 'payment_id'], true),
      ],
    });
  }

  /** How long what was just written has to wait for the busiest of its partitions, in ms. */
  takeWaitMs(): number {
    const waitMs = this.#waitMs;
    this.#waitMs = 0;
    return waitMs;
  }

  /** Registers subscriptions of a service, each with a secret, as the api does. */
  register(subscriptions: readonly Subscription[]): void {
    for (const [service_id, those] of Map.groupBy(subscriptions, (one) => one.service_id)) {
      const routes = those.map(({ subscription_id, event_types, live }) => ({
        subscription_id,
        event_types,
        live,
      }));
      this.subscriptions.load({ service_id, item: subscriptionsTable.routesItem, version: 1, routes });
      for (const one of those) {
        this.subscriptions.load(subscriptionItem(one));
        this.signingSecrets.load({ subscription_id: one.subscription_id, ...KEPT_SECRETS });
      }
    }
  }

  subscription(name: Pick<Subscription, 'service_id' | 'subscription_id'>): Subscription | undefined {
    return subscriptionOf(this.subscriptions.get(name.service_id, name.subscription_id));
  }
}

/** They may sign; which ones they are matters to no promise here. */
export const KEPT_SECRETS = keptSecrets();

/** With what puts it into the index of what is due, as long as its circuit ticks. */
export function subscriptionItem(subscription: Subscription): Item {
  const tick_at = subscription.circuit?.tick_at;
  const { subscription_id } = subscription;
  return {
    ...subscription,
    item: subscription_id,
    ...(tick_at === undefined
      ? {}
      : {
          due_shard: dueShard(subscription_id),
          check_at: instant(Date.parse(tick_at) + DELIVERY_POLICY.graceMs),
        }),
  };
}

export function subscriptionOf(item: Item | undefined): Subscription | undefined {
  if (item === undefined) {
    return undefined;
  }
  const { item: _, due_shard: __, check_at: ___, ...subscription } = item;
  return subscription as Subscription;
}

function index(
  name: string,
  partitionKey: string,
  sortKey: string,
  attributes: readonly string[] | 'all' | 'none',
  isRead = false,
) {
  return { name, partitionKey, sortKey, attributes, isRead };
}
