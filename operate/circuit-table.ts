import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { ALL_DUE_SHARDS } from '../functions/adapters/due-shard.ts';
import { keyLine } from '../functions/adapters/key-line.ts';
import { queryPages } from '../functions/adapters/query-pages.ts';
import { readable } from '../functions/adapters/readable.ts';
import { standingWriter } from '../functions/adapters/standing-writer.ts';
import { subscriptionAddress } from '../functions/adapters/subscription-address.ts';
import { subscriptionReader } from '../functions/adapters/subscription-reader.ts';
import { batchGet, type Item } from '../functions/adapters/table-batch.ts';
import { subscriptionsTable } from '../functions/adapters/table-keys.ts';
import { waitingCounter } from '../functions/adapters/waiting-counter.ts';
import type { Standing } from '../functions/core/standing.ts';
import { type Subscription, subscriptionSchema } from '../functions/core/subscription.ts';
import type { InLine } from '../functions/core/tick.ts';

type Name = Pick<Subscription, 'service_id' | 'subscription_id'>;

/** Circuits, as an operator looks at them. */
export interface CircuitTable {
  /** Subscriptions whose circuit is not closed, the one that is so longest first; may lag by a second. `onFault` hears of those that cannot be read. */
  notClosed(onFault: (fault: Error) => void): Promise<readonly Subscription[]>;
  subscription(name: Name): Promise<Subscription | undefined>;
  /** The first keys in line. May lag by a second. */
  line(subscriptionId: string, most: number): Promise<readonly InLine[]>;
  /** How many messages wait, counted up to `most`. */
  waiting(subscriptionId: string, most: number): Promise<number>;
  /** Writes how a subscription stands by the condition that all others write it by; undefined when it is no more. */
  change(
    subscription: Subscription,
    change: (standing: Standing) => Standing,
  ): Promise<{ readonly before: Standing; readonly after: Standing } | undefined>;
}

export function circuitTable(
  client: DynamoDBClient,
  tables: { readonly subscriptions: string; readonly keys: string; readonly history: string },
  graceMs: number,
): CircuitTable {
  return {
    async notClosed(onFault) {
      // Each circuit that is not closed has a timer, and so a place in the index: no scan is needed.
      const addresses: Item[] = [];
      for (const shard of ALL_DUE_SHARDS) {
        const pages = queryPages(client, {
          TableName: tables.subscriptions,
          IndexName: subscriptionsTable.due,
          KeyConditionExpression: '#due_shard = :shard',
          ExpressionAttributeNames: { '#due_shard': 'due_shard' },
          ExpressionAttributeValues: marshall({ ':shard': shard }),
        });
        for await (const items of pages) {
          addresses.push(
            ...items.filter(isNotClosed).map((item) => subscriptionAddress(item as unknown as Name)),
          );
        }
      }
      const { subscriptions: table } = tables;
      const items = (await batchGet(client, [{ table, keys: addresses }])).get(table) ?? [];
      return readable(items, subscriptionSchema, 'subscription_id', onFault)
        .filter(
          ({ circuit, state }) => circuit !== undefined && circuit.state !== 'closed' && state !== 'deleted',
        )
        .sort((one, other) => (sinceOf(one) < sinceOf(other) ? -1 : 1));
    },

    subscription: subscriptionReader(client, tables.subscriptions),
    line: keyLine(client, tables.keys, () => {}).line,
    waiting: waitingCounter(client, tables.history),
    change: standingWriter(client, { table: tables.subscriptions, graceMs }),
  };
}

/** Recoveries are in the index too, and have no circuit. */
function isNotClosed({ circuit }: Item): boolean {
  return typeof circuit === 'object' && circuit !== null && Reflect.get(circuit, 'state') !== 'closed';
}

function sinceOf({ circuit }: Subscription): string {
  return circuit?.since ?? '';
}
