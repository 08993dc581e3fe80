import { SECRETS_CACHED_MS } from '../../../functions/core/attempt/signing-keys.ts';
import { endpointHealthOf } from '../../../functions/core/circuit/endpoint-health.ts';
import type { Revision } from '../../../functions/core/subscription/secret-rotation.ts';
import type { EndpointHealth, Subscription } from '../../../functions/core/subscription/subscription.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import type { DeliverPorts } from '../../../functions/pipeline/deliver/ports.ts';
import type { Overdue } from '../../../functions/pipeline/sweep/ports.ts';
import { keptSecrets } from '../../support/builders.ts';
import { Keyring } from './keyring.ts';
import { LaggingIndex } from './lagging-index.ts';

/** What each subscription signs with at the beginning. */
const KEPT_SECRETS = keptSecrets();

interface Row {
  readonly subscription: Subscription;
  /** Until this instant no secret can be read: a fault of ours that strikes one subscription alone. */
  readonly secretlessUntilMs: number;
}

type OverdueCircuit = Extract<Overdue, { kind: 'circuit' }>;

/** A change of how a subscription stands. */
export interface EndpointHealthWrite {
  readonly atMs: number;
  /** Who wrote: the name of a worker, or of whoever it was. */
  readonly by: string;
  readonly subscriptionId: string;
  readonly before: EndpointHealth;
  readonly after: EndpointHealth;
}

interface Options {
  readonly now: () => number;
  readonly lagMs: () => number;
  readonly graceMs: number;
  readonly whenDue: (checkAt: string, visibleAtMs: number) => void;
}

/** Subscriptions, their routes and their secrets in memory; reads are strongly consistent, the index of what is due lags. */
export class SubscriptionTable {
  readonly writes: EndpointHealthWrite[] = [];
  /** What owners have set, in order. */
  readonly revisions: { readonly atMs: number; readonly subscription: Subscription }[] = [];
  readonly #rows: Map<string, Row>;
  readonly #keyrings: Map<string, Keyring>;
  readonly #first: ReadonlyMap<string, Subscription>;
  readonly #deletedAtMs = new Map<string, number>();
  readonly #checks = new Map<string, string>();
  readonly #due: LaggingIndex<OverdueCircuit>;
  readonly #options: Options;

  constructor(rows: readonly Row[], options: Options) {
    this.#rows = new Map(rows.map((row) => [row.subscription.subscription_id, row]));
    this.#keyrings = new Map([...this.#rows.keys()].map((id) => [id, new Keyring(KEPT_SECRETS)]));
    this.#options = options;
    this.#first = new Map(rows.map(({ subscription }) => [subscription.subscription_id, subscription]));
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
      unreadable: new Map<string, string>(),
      untaken: new Set<string>(),
    };
  }

  one(subscriptionId: string): Subscription | undefined {
    return this.#rows.get(subscriptionId)?.subscription;
  }

  keyring(subscriptionId: string): Keyring | undefined {
    return this.#keyrings.get(subscriptionId);
  }

  /** What its owner makes of it: no worker writes in between. */
  revise(by: string, before: Subscription, { subscription, secrets }: Revision): void {
    const atMs = this.#options.now();
    const { subscription_id: subscriptionId } = before;
    this.#rows.set(subscriptionId, { ...this.#rows.get(subscriptionId)!, subscription });
    this.revisions.push({ atMs, subscription });
    if (secrets !== undefined) {
      this.#keyrings.get(subscriptionId)?.change(secrets, atMs);
    }
    const [from, to] = [endpointHealthOf(before), endpointHealthOf(subscription)];
    if (from.circuit !== to.circuit) {
      this.writes.push({ atMs, by, subscriptionId, before: from, after: to });
      this.#checkTick(subscriptionId, to.circuit.tick_at);
    }
  }

  /** How an owner had set a subscription at an instant. */
  settingsAt(subscriptionId: string, ms: number): Subscription {
    const own = this.revisions.filter(({ subscription }) => subscription.subscription_id === subscriptionId);
    return own.findLast(({ atMs }) => atMs <= ms)?.subscription ?? this.#first.get(subscriptionId)!;
  }

  /** What an owner has made of a subscription, at the beginning of a span and in it. */
  routesBetween(subscriptionId: string, fromMs: number, untilMs: number): Subscription[] {
    const first = this.settingsAt(subscriptionId, fromMs);
    const deletedAtMs = this.#deletedAtMs.get(subscriptionId) ?? Number.POSITIVE_INFINITY;
    const later = this.revisions.filter(
      ({ atMs, subscription }) =>
        subscription.subscription_id === subscriptionId && atMs > fromMs && atMs <= untilMs,
    );
    const all = [first, ...later.map(({ subscription }) => subscription)];
    const gone = { ...first, state: 'deleted' as const };
    return deletedAtMs <= fromMs ? [gone] : deletedAtMs <= untilMs ? [...all, gone] : all;
  }

  /**
   * @param secretsAgeMs how old the reading of the secrets is
   * @param workersTimeMs what the worker takes for the time
   */
  find(
    wanted: Parameters<DeliverPorts['lookUp']>[0]['subscriptions'],
    secretsAgeMs: number,
    workersTimeMs: number,
  ) {
    const ids = new Set(wanted.map(({ subscription_id }) => subscription_id));
    const rows = [...this.#rows.values()].filter(({ subscription }) => ids.has(subscription.subscription_id));
    const nowMs = this.#options.now();
    return {
      subscriptions: new Map(rows.map(({ subscription }) => [subscription.subscription_id, subscription])),
      secrets: new Map(
        rows
          .filter(({ secretlessUntilMs }) => secretlessUntilMs <= nowMs)
          .map(({ subscription: { subscription_id } }) => [
            subscription_id,
            {
              ...this.#keyrings.get(subscription_id)!.at(nowMs - secretsAgeMs),
              goodUntilMs: workersTimeMs - secretsAgeMs + SECRETS_CACHED_MS,
            },
          ]),
      ),
    };
  }

  /** Writes on condition of the circuit's revision; otherwise answers how it stands. */
  replaceEndpointHealth(
    by: string,
    subscriptionId: string,
    before: EndpointHealth,
    after: EndpointHealth,
  ): 'written' | 'gone' | EndpointHealth {
    const row = this.#rows.get(subscriptionId);
    if (row === undefined) {
      return 'gone';
    }
    const current = endpointHealthOf(row.subscription);
    if (current.circuit.revision !== before.circuit.revision) {
      return current;
    }
    const { disabled_reason: _, disabled_at: __, ...lasting } = row.subscription;
    this.#rows.set(subscriptionId, { ...row, subscription: { ...lasting, ...after } });
    this.writes.push({ atMs: this.#options.now(), by, subscriptionId, before: current, after });
    if (after.state === 'deleted' && current.state !== 'deleted') {
      this.#deletedAtMs.set(subscriptionId, this.#options.now());
    }
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

  #checkTick(subscriptionId: string, timerAt: string | undefined): void {
    const { graceMs } = this.#options;
    this.#check(subscriptionId, timerAt === undefined ? undefined : instant(Date.parse(timerAt) + graceMs));
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
