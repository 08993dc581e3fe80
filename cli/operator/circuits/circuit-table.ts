import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { backlogReader } from '../../../functions/adapters/dynamodb/ordering-keys/backlog.ts';
import { ALL_DUE_SHARDS } from '../../../functions/adapters/dynamodb/ordering-keys/due-shard.ts';
import { waitingCounter } from '../../../functions/adapters/dynamodb/ordering-keys/waiting-counter.ts';
import { queryPages } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { endpointHealthWriter } from '../../../functions/adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import type { SubscriptionName } from '../../../functions/adapters/dynamodb/subscriptions/subscription-address.ts';
import { subscriptionReader } from '../../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import { subscriptionsTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { InBacklog } from '../../../functions/core/circuit/circuit-timer.ts';
import type { EndpointHealth, Subscription } from '../../../functions/core/subscription/subscription.ts';
import { type SeenSubscription, seenSubscription } from '../../stage/seen-subscription.ts';
import type { Withheld } from '../../stage/withheld.ts';

/** Circuits, as an operator sees them. */
export interface CircuitTable {
  /** Subscriptions whose circuit is not closed, the longest first; may lag by a second. */
  notClosed(): Promise<readonly SubscriptionName[]>;
  /** What the caller may see of it. Undefined when there is none; an error when it cannot be read. */
  seen(name: SubscriptionName): Promise<SeenSubscription | Error | undefined>;
  subscription(name: SubscriptionName): Promise<Subscription | undefined>;
  /** The first ordering keys of the backlog. May lag by a second. */
  backlog(subscriptionId: string, max: number): Promise<readonly InBacklog[]>;
  /** How many messages wait, counted up to `max`. */
  waiting(subscriptionId: string, max: number): Promise<number>;
  /** Writes endpoint health, on the condition of all writers; undefined if the subscription is gone. */
  change(
    subscription: Subscription,
    change: (health: EndpointHealth) => EndpointHealth,
  ): Promise<{ readonly before: EndpointHealth; readonly after: EndpointHealth } | undefined>;
}

export function circuitTable(
  client: DynamoDBClient,
  tables: { readonly subscriptions: string; readonly keys: string; readonly history: string },
  graceMs: number,
  withheld: Withheld,
): CircuitTable {
  return {
    async notClosed() {
      // Each circuit that is not closed has a timer, and so an entry in the index: no scan is needed.
      const found: z.infer<typeof timedSchema>[] = [];
      for (const shard of ALL_DUE_SHARDS) {
        const pages = queryPages(client, {
          TableName: tables.subscriptions,
          IndexName: subscriptionsTable.due,
          KeyConditionExpression: '#due_shard = :shard',
          ExpressionAttributeNames: { '#due_shard': 'due_shard' },
          ExpressionAttributeValues: marshall({ ':shard': shard }),
        });
        for await (const items of pages) {
          // Recoveries are in the index too; they have no circuit.
          found.push(...items.flatMap((item) => timedSchema.safeParse(item).data ?? []));
        }
      }
      return found
        .filter(({ circuit }) => circuit.state !== 'closed')
        .sort((one, other) => beginningOf(one).localeCompare(beginningOf(other)));
    },

    seen: (name) => seenSubscription(client, tables.subscriptions, name, withheld),
    subscription: subscriptionReader(client, tables.subscriptions),
    backlog: backlogReader(client, tables.keys, () => {}).backlog,
    waiting: waitingCounter(client, tables.history),
    change: endpointHealthWriter(client, { table: tables.subscriptions, graceMs }),
  };
}

/** As little as possible, so that a circuit that cannot be read is found too. */
const timedSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  circuit: z.object({
    state: z.string(),
    since: z.optional(z.string()),
    in_trouble_since: z.optional(z.string()),
  }),
});

function beginningOf({ circuit }: z.infer<typeof timedSchema>): string {
  return circuit.in_trouble_since ?? circuit.since ?? '';
}
