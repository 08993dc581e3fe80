import { subscriptionsTable } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import { SECRETS_CACHED_MS } from '../../../../functions/core/attempt/signing-keys.ts';
import { endpointHealthOf } from '../../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../../functions/core/circuit/health-shape.ts';
import { circuitTimer } from '../../../../functions/core/ordering/timers.ts';
import type { Overdue } from '../../../../functions/core/signal/overdue.ts';
import type { Revision } from '../../../../functions/core/subscription/secret-rotation.ts';
import { routeSchema, type Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import type { DeliverPorts } from '../../../../functions/pipeline/deliver/ports.ts';
import { keptSecrets } from '../../../support/builders.ts';
import { subscriptionItem } from '../metering/table-plans.ts';
import type { TableUnits } from '../metering/table-units.ts';
import { DueIndex, type DueOptions, nameOf } from './due-index.ts';
import { Keyring } from './keyring.ts';

/** The secrets of each subscription at the beginning. */
const KEPT_SECRETS = keptSecrets();

interface Row {
  readonly subscription: Subscription;
  /**
   * Until this instant no secret can be read: an internal error that strikes one subscription alone. @default
   * never
   */
  readonly secretlessUntilMs?: number;
}

/** A change of endpoint health. */
export interface EndpointHealthWrite {
  readonly atMs: number;
  /** Who wrote: the name of a worker, or of a person. */
  readonly by: string;
  readonly subscriptionId: string;
  readonly before: EndpointHealth;
  readonly after: EndpointHealth;
}

interface Options extends DueOptions {
  readonly graceMs: number;
  /** @default nothing is counted */
  readonly units?: { readonly subscriptions: TableUnits; readonly secrets: TableUnits };
}

/**
 * Subscriptions, their routes and their secrets: reads are strongly consistent, the index of what is due
 * lags.
 */
export class SubscriptionTable {
  readonly writes: EndpointHealthWrite[] = [];
  /** What partners have set, in order. */
  readonly revisions: { readonly atMs: number; readonly subscription: Subscription }[] = [];
  readonly #rows: Map<string, Row>;
  readonly #idsByService: ReadonlyMap<string, readonly string[]>;
  readonly #keyrings: Map<string, Keyring>;
  readonly #first: ReadonlyMap<string, Subscription>;
  readonly #deletedAtMs = new Map<string, number>();
  readonly #checks = new Map<string, string>();
  readonly #due: DueIndex;
  readonly #options: Options;

  constructor(rows: readonly Row[], options: Options) {
    this.#rows = new Map(rows.map((row) => [row.subscription.subscription_id, row]));
    this.#keyrings = new Map([...this.#rows.keys()].map((id) => [id, new Keyring(KEPT_SECRETS)]));
    this.#options = options;
    this.#first = new Map(rows.map(({ subscription }) => [subscription.subscription_id, subscription]));
    this.#due = new DueIndex(options, 'subscriptions');
    const byService = Map.groupBy(rows, ({ subscription }) => subscription.service_id);
    this.#idsByService = new Map(
      [...byService].map(([id, own]) => [id, own.map(({ subscription }) => subscription.subscription_id)]),
    );
    for (const { subscription } of rows) {
      this.#checkTimer(subscription.subscription_id, subscription.circuit?.timer_at);
    }
  }

  get all(): readonly Subscription[] {
    return [...this.#rows.values()].map(({ subscription }) => subscription);
  }

  /** A deleted subscription has no route. */
  routesOf(serviceIds: readonly string[]) {
    const routesOf = (id: string) =>
      (this.#idsByService.get(id) ?? [])
        .map((subscriptionId) => this.one(subscriptionId)!)
        .filter(({ state }) => state !== 'deleted')
        .map((subscription) => routeSchema.parse(subscription));
    const routes = serviceIds.map((id) => [id, routesOf(id)] as const);
    for (const [service_id, own] of routes) {
      this.#options.units?.subscriptions.read(
        own.length === 0
          ? undefined
          : { service_id, item: subscriptionsTable.routesItem, version: 1, routes: own },
      );
    }
    return {
      routes: new Map(routes.filter(([, own]) => own.length > 0)),
      unreadable: new Map<string, string>(),
      untaken: new Set<string>(),
    };
  }

  /** For those who only look: at no cost. */
  one(subscriptionId: string): Subscription | undefined {
    return this.#rows.get(subscriptionId)?.subscription;
  }

  read(subscriptionId: string): Subscription | undefined {
    this.#options.units?.subscriptions.read(this.#itemOf(subscriptionId));
    return this.one(subscriptionId);
  }

  keyring(subscriptionId: string): Keyring | undefined {
    return this.#keyrings.get(subscriptionId);
  }

  /** What its partner makes of it: no worker writes in between. */
  revise(by: string, before: Subscription, { subscription, secrets }: Revision): void {
    const atMs = this.#options.now();
    const { subscription_id: subscriptionId } = before;
    this.#options.units?.subscriptions.write(this.#itemOf(subscriptionId), subscriptionItem(subscription), 2);
    this.#rows.set(subscriptionId, { ...this.#rows.get(subscriptionId)!, subscription });
    this.revisions.push({ atMs, subscription });
    if (secrets !== undefined) {
      this.#keyrings.get(subscriptionId)?.change(secrets, atMs);
    }
    const [from, to] = [endpointHealthOf(before), endpointHealthOf(subscription)];
    if (from.circuit !== to.circuit) {
      this.writes.push({ atMs, by, subscriptionId, before: from, after: to });
      this.#checkTimer(subscriptionId, to.circuit.timer_at);
    }
  }

  /** The same, unless somebody has written since it was read: then nothing happens. */
  reviseUnchanged(by: string, before: Subscription, revision: Revision): boolean {
    const current = this.one(before.subscription_id);
    const isSame =
      current?.revision === before.revision && current?.circuit?.revision === before.circuit?.revision;
    if (isSame) {
      this.revise(by, before, revision);
    } else {
      this.#options.units?.subscriptions.check(this.#itemOf(before.subscription_id), 2);
    }
    return isSame;
  }

  /** How its partner had set a subscription at an instant. */
  settingsAt(subscriptionId: string, ms: number): Subscription {
    const own = this.revisions.filter(({ subscription }) => subscription.subscription_id === subscriptionId);
    return own.findLast(({ atMs }) => atMs <= ms)?.subscription ?? this.#first.get(subscriptionId)!;
  }

  /** What its partner made of a subscription, at the beginning of a span and during it. */
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
   * @param secretsOf whose secrets are read too
   * @param secretsAgeMs how long ago the secrets were read
   * @param workersTimeMs the time by the worker's clock
   */
  find(
    wanted: Parameters<DeliverPorts['lookUp']>[0]['subscriptions'],
    secretsOf: ReadonlySet<string>,
    secretsAgeMs: number,
    workersTimeMs: number,
  ) {
    const ids = new Set(wanted.map(({ subscription_id }) => subscription_id));
    const rows = [...ids].flatMap((id) => this.#rows.get(id) ?? []);
    const { now, units } = this.#options;
    const nowMs = now();
    if (units !== undefined) {
      for (const id of ids) {
        units.subscriptions.read(this.#itemOf(id));
      }
      for (const id of secretsOf) {
        units.secrets.read({ subscription_id: id, ...this.#keyrings.get(id)?.at(nowMs) });
      }
    }
    return {
      subscriptions: new Map(rows.map(({ subscription }) => [subscription.subscription_id, subscription])),
      secrets: new Map(
        rows
          .filter(
            ({ subscription, secretlessUntilMs = 0 }) =>
              secretlessUntilMs <= nowMs && secretsOf.has(subscription.subscription_id),
          )
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

  /** Writes if the circuit's revision is still the same; if not, returns the current endpoint health. */
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
      this.#options.units?.subscriptions.check(this.#itemOf(subscriptionId));
      return current;
    }
    const { disabled_reason: _, disabled_at: __, challenge_id: ___, ...lasting } = row.subscription;
    const subscription = { ...lasting, ...after };
    this.#options.units?.subscriptions.write(this.#itemOf(subscriptionId), subscriptionItem(subscription));
    this.#rows.set(subscriptionId, { ...row, subscription });
    this.writes.push({ atMs: this.#options.now(), by, subscriptionId, before: current, after });
    if (after.state === 'deleted' && current.state !== 'deleted') {
      this.#deletedAtMs.set(subscriptionId, this.#options.now());
    }
    this.#checkTimer(subscriptionId, after.circuit.timer_at);
    return 'written';
  }

  /** As the index shows it. */
  overdue(until: string): readonly Overdue[] {
    const due = this.#due.until(until);
    this.#options.units?.subscriptions.query(
      subscriptionsTable.due,
      due.map((one) => this.#itemOf(nameOf(one))!),
    );
    return due;
  }

  get checks() {
    return this.#due.checks;
  }

  moveOverdue(overdue: Overdue, to: string): boolean {
    const subscriptionId = nameOf(overdue);
    const item = this.#itemOf(subscriptionId);
    const current = this.#checks.get(subscriptionId);
    if (current !== overdue.checkAt && current !== to) {
      this.#options.units?.subscriptions.check(item);
      return false;
    }
    this.#options.units?.subscriptions.write(item, { ...item, check_at: to });
    this.#check(subscriptionId, to);
    return true;
  }

  #itemOf(subscriptionId: string) {
    const subscription = this.one(subscriptionId);
    return subscription && subscriptionItem(subscription);
  }

  #checkTimer(subscriptionId: string, timerAt: string | undefined): void {
    const { graceMs } = this.#options;
    this.#check(subscriptionId, timerAt === undefined ? undefined : instant(Date.parse(timerAt) + graceMs));
  }

  #check(subscriptionId: string, checkAt: string | undefined): void {
    const subscription = this.one(subscriptionId);
    if (checkAt === undefined || subscription?.circuit === undefined) {
      this.#checks.delete(subscriptionId);
      this.#due.write(subscriptionId, undefined);
    } else {
      this.#checks.set(subscriptionId, checkAt);
      this.#due.write(subscriptionId, { timer: circuitTimer(subscription, subscription.circuit), checkAt });
    }
  }
}
