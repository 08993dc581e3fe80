import { instant } from '../../functions/core/instant.ts';
import { type Standing, standingOf } from '../../functions/core/standing.ts';
import type { Subscription } from '../../functions/core/subscription.ts';
import type { DeliverPorts } from '../../functions/deliver/ports.ts';
import type { Overdue } from '../../functions/sweep/ports.ts';
import { keptSecrets } from '../support/builders.ts';
import { LaggingIndex } from './lagging-index.ts';

/** They may sign; which ones they are matters to no promise here. */
const KEPT_SECRETS = keptSecrets();

interface Row {
  readonly subscription: Subscription;
  /** Until this instant no secret can be read: a fault of ours that strikes one subscription alone. */
  readonly secretlessUntilMs: number;
}

type OverdueCircuit = Extract<Overdue, { kind: 'circuit' }>;

/** A change of how a subscription stands. */
export interface StandingWrite {
  readonly atMs: number;
  /** Who wrote: the name of a worker, or of whoever it was. */
  readonly by: string;
  readonly subscriptionId: string;
  readonly before: Standing;
  readonly after: Standing;
}

interface Options {
  readonly now: () => number;
  readonly lagMs: () => number;
  readonly graceMs: number;
  readonly whenDue: (checkAt: string, visibleAtMs: number) => void;
}

/** Subscriptions, their routes and their secrets in memory; reads are strongly consistent, the index of what is due lags. */
export class SubscriptionTable {
  readonly writes: StandingWrite[] = [];
  readonly #rows: Map<string, Row>;
  readonly #checks = new Map<string, string>();
  readonly #due: LaggingIndex<OverdueCircuit>;
  readonly #options: Options;

  constructor(rows: readonly Row[], options: Options) {
    this.#rows = new Map(rows.map((row) => [row.subscription.subscription_id, row]));
    this.#options = options;
    const { now, lagMs, whenDue } = options;
    this.#due = new LaggingIndex(now, lagMs, ({ checkAt }, visibleAtMs) => whenDue(checkAt, visibleAtMs));
    for (const { subscription } of rows) {
      this.#checkTick(subscription.subscription_id, subscription.circuit?.tick_at);
    }
  }

  get all(): readonly Subscription[] {
    return [...this.#rows.values()].map(({ subscription }) => subscription);
  }

  /** A deleted subscription has no route any more. */
  routesOf(serviceIds: readonly string[]) {
    const routes = Map.groupBy(
      this.all.filter(({ state }) => state !== 'deleted'),
      ({ service_id }) => service_id,
    );
    return {
      routes: new Map([...routes].filter(([id]) => serviceIds.includes(id))),
      unreadable: new Set<string>(),
    };
  }

  one(subscriptionId: string): Subscription | undefined {
    return this.#rows.get(subscriptionId)?.subscription;
  }

  find(wanted: Parameters<DeliverPorts['lookUp']>[0]['subscriptions']) {
    const ids = new Set(wanted.map(({ subscription_id }) => subscription_id));
    const rows = [...this.#rows.values()].filter(({ subscription }) => ids.has(subscription.subscription_id));
    const nowMs = this.#options.now();
    return {
      subscriptions: new Map(rows.map(({ subscription }) => [subscription.subscription_id, subscription])),
      secrets: new Map(
        rows
          .filter(({ secretlessUntilMs }) => secretlessUntilMs <= nowMs)
          .map(({ subscription }) => [subscription.subscription_id, KEPT_SECRETS]),
      ),
    };
  }

  /** Writes on condition of the circuit's revision; otherwise answers how it stands. */
  replaceStanding(
    by: string,
    subscriptionId: string,
    before: Standing,
    after: Standing,
  ): 'written' | 'gone' | Standing {
    const row = this.#rows.get(subscriptionId);
    if (row === undefined) {
      return 'gone';
    }
    const current = standingOf(row.subscription);
    if (current.circuit.revision !== before.circuit.revision) {
      return current;
    }
    const { disabled_reason: _, disabled_at: __, ...lasting } = row.subscription;
    this.#rows.set(subscriptionId, { ...row, subscription: { ...lasting, ...after } });
    this.writes.push({ atMs: this.#options.now(), by, subscriptionId, before: current, after });
    this.#checkTick(subscriptionId, after.circuit.tick_at);
    return 'written';
  }

  /** As the index has it. */
  get due(): readonly OverdueCircuit[] {
    return this.#due.items;
  }

  /** When somebody has to look at the due index, and from when on there will be something to see. */
  get checks(): readonly { readonly checkAt: string; readonly visibleAtMs: number }[] {
    return this.#due.outlook.map(({ item, visibleAtMs }) => ({ checkAt: item.checkAt, visibleAtMs }));
  }

  moveCheck(subscriptionId: string, from: string, to: string): boolean {
    if (this.#checks.get(subscriptionId) !== from) {
      return false;
    }
    this.#check(subscriptionId, to);
    return true;
  }

  #checkTick(subscriptionId: string, tickAt: string | undefined): void {
    const { graceMs } = this.#options;
    this.#check(subscriptionId, tickAt === undefined ? undefined : instant(Date.parse(tickAt) + graceMs));
  }

  #check(subscriptionId: string, checkAt: string | undefined): void {
    const subscription = this.one(subscriptionId);
    if (checkAt === undefined || subscription === undefined) {
      this.#checks.delete(subscriptionId);
      this.#due.write(subscriptionId, undefined);
    } else {
      this.#checks.set(subscriptionId, checkAt);
      this.#due.write(subscriptionId, { kind: 'circuit', subscription, checkAt });
    }
  }
}
