import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { routingItemSchema } from '../../../functions/adapters/dynamodb/subscriptions/route-table.ts';
import {
  apiTokensTable,
  auditTable,
  historyTable,
  orderingKeysTable,
  sequencesTable,
  signingSecretsTable,
  statisticsTable,
  subscriptionsTable,
} from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { OperatedTable, Worker } from '../../stage/stage-access.ts';

export interface Restorable {
  readonly table: OperatedTable;
  readonly keys: { readonly partitionKey: string; readonly sortKey?: string; readonly timeToLive?: string };
  /**
   * Who may not write meanwhile: what belongs together is in several items or tables. @default - anybody may
   */
  readonly needsQuiet?: Worker;
  /** Paths of numbers that only grow: they show that an item is an earlier state. @default - none */
  readonly counters?: readonly (readonly [string, ...string[]])[];
  /** What replaces an item in an earlier state. @default - the restored one */
  readonly over?: (restored: Item, there: Item) => Item;
}

/** The tables that can be restored. Not those of idempotent answers: they last for a day. */
export const RESTORABLE = {
  subscriptions: {
    table: 'subscriptions',
    keys: subscriptionsTable,
    needsQuiet: 'deliver',
    counters: [['revision'], ['circuit', 'revision'], ['version']],
    over: withRoutes,
  },
  'signing-secrets': { table: 'signingSecrets', keys: signingSecretsTable },
  history: { table: 'history', keys: historyTable, needsQuiet: 'deliver', counters: [['attempt_count']] },
  'ordering-keys': { table: 'orderingKeys', keys: orderingKeysTable, needsQuiet: 'deliver' },
  sequences: { table: 'sequences', keys: sequencesTable, needsQuiet: 'match' },
  'api-tokens': { table: 'apiTokens', keys: apiTokensTable },
  statistics: { table: 'statistics', keys: statisticsTable },
  audit: { table: 'audit', keys: auditTable },
} as const satisfies Readonly<Record<string, Restorable>>;

export type RestorableName = keyof typeof RESTORABLE;

/** Whether the live item is an earlier state of the restored one. An item that was erased by hand is not. */
export function isOlder(live: Item, restored: Item, { counters = [] }: Restorable): boolean {
  const pairs = counters.map((path) => [numberAt(live, path), numberAt(restored, path)] as const);
  return (
    live.body_erased_at === undefined &&
    pairs.every(([there, then]) => there <= then) &&
    pairs.some(([there, then]) => there < then)
  );
}

/**
 * A service that lost its routes and registered others since: its version started again, so it looks like an
 * earlier state. Without its route a subscription silently gets no events.
 */
function withRoutes(restored: Item, there: Item): Item {
  const [then, now] = [restored, there].map((item) => routingItemSchema.safeParse(item).data);
  if (then === undefined || now === undefined) {
    return restored;
  }
  const known = new Set(then.routes.map(({ subscription_id }) => subscription_id));
  const since = now.routes.filter(({ subscription_id }) => !known.has(subscription_id));
  return since.length === 0
    ? restored
    : { ...restored, routes: [...then.routes, ...since], version: then.version + 1 };
}

/** 0 where there is none. */
export function numberAt(item: Item, path: readonly string[]): number {
  const value = path.reduce<unknown>(
    (found, name) => (typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined),
    item,
  );
  return typeof value === 'number' ? value : 0;
}
