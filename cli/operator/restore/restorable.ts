import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { routingItemSchema } from '../../../functions/adapters/dynamodb/subscriptions/routing-item.ts';
import {
  apiTokensTable,
  auditTable,
  historyTable,
  orderingKeysTable,
  signingSecretsTable,
  statisticsTable,
  subscriptionsTable,
} from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { OperatedTable } from '../../stage/stage-access.ts';

export interface Restorable {
  readonly table: OperatedTable;
  readonly keys: { readonly partitionKey: string; readonly sortKey?: string; readonly timeToLive?: string };
  /** No worker may write beside it: what belongs together lies in several items or tables. */
  readonly needsQuiet: boolean;
  /** Numbers of an item that only grow, by their paths: they tell an earlier state of it, as an earlier restoration has left it. @default - none */
  readonly counters?: readonly (readonly [string, ...string[]])[];
  /** What takes the place of an item in an earlier state. @default - the restored one */
  readonly over?: (restored: Item, there: Item) => Item;
}

/** The tables that can be restored. Answers to repeated requests are not worth it: they last for a day. */
export const RESTORABLE = {
  subscriptions: {
    table: 'subscriptions',
    keys: subscriptionsTable,
    needsQuiet: true,
    counters: [['revision'], ['circuit', 'revision'], ['version']],
    over: withRoutes,
  },
  'signing-secrets': { table: 'signingSecrets', keys: signingSecretsTable, needsQuiet: false },
  history: { table: 'history', keys: historyTable, needsQuiet: true, counters: [['attempt_count']] },
  keys: { table: 'keys', keys: orderingKeysTable, needsQuiet: true },
  'api-tokens': { table: 'apiTokens', keys: apiTokensTable, needsQuiet: false },
  statistics: { table: 'statistics', keys: statisticsTable, needsQuiet: false },
  audit: { table: 'audit', keys: auditTable, needsQuiet: false },
} as const satisfies Readonly<Record<string, Restorable>>;

export type RestorableName = keyof typeof RESTORABLE;

/** Whether the item that is there is an earlier state of the restored one. What was erased by hand is none. */
export function isOlder(live: Item, restored: Item, { counters = [] }: Restorable): boolean {
  const pairs = counters.map((path) => [numberAt(live, path), numberAt(restored, path)] as const);
  return (
    live.body_erased_at === undefined &&
    pairs.every(([there, then]) => there <= then) &&
    pairs.some(([there, then]) => there < then)
  );
}

/**
 * The routes of a service that lost them, and has registered others since: its count began anew, so that it looks like an earlier state. Without its route
 * a subscription gets no event, and nobody is told.
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
