import type { Subscription } from '../../functions/core/subscription.ts';
import type { DeliverPorts } from '../../functions/deliver/ports.ts';

/** A secret that may sign; which one matters to no promise here. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

interface Row {
  readonly subscription: Subscription;
  /** Until this instant no secret can be read: a fault of ours that strikes one subscription alone. */
  readonly secretlessUntilMs: number;
}

/** Subscriptions, their routes and their secrets in memory; reads are strongly consistent. */
export class SubscriptionTable {
  readonly #rows: readonly Row[];
  readonly #now: () => number;

  constructor(rows: readonly Row[], now: () => number) {
    this.#rows = rows;
    this.#now = now;
  }

  routesOf(serviceIds: readonly string[]) {
    const routes = Map.groupBy(
      this.#rows.map(({ subscription }) => subscription),
      ({ service_id }) => service_id,
    );
    return {
      routes: new Map([...routes].filter(([id]) => serviceIds.includes(id))),
      unreadable: new Set<string>(),
    };
  }

  find(wanted: Parameters<DeliverPorts['lookUp']>[0]['subscriptions']) {
    const ids = new Set(wanted.map(({ subscription_id }) => subscription_id));
    const rows = this.#rows.filter(({ subscription }) => ids.has(subscription.subscription_id));
    return {
      subscriptions: new Map(rows.map(({ subscription }) => [subscription.subscription_id, subscription])),
      secrets: new Map(
        rows
          .filter(({ secretlessUntilMs }) => secretlessUntilMs <= this.#now())
          .map(({ subscription }) => [subscription.subscription_id, [SECRET]]),
      ),
    };
  }
}
