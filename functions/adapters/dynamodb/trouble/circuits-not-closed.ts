import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { SubscriptionName } from '../../../core/trouble/seen-subscription.ts';
import { ALL_DUE_SHARDS } from '../ordering-keys/due-shard.ts';
import { queryPages } from '../query-pages.ts';
import { subscriptionsTable } from '../table-keys.ts';

/** As little as possible, so that a circuit that cannot be read is found too. */
const timedSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  circuit: z.object({
    state: z.string(),
    since: z.optional(z.string()),
    in_trouble_since: z.optional(z.string()),
    /** Why it drains, where that is not because it recovers. */
    cause: z.optional(z.string()),
  }),
});
export type TimedCircuit = z.infer<typeof timedSchema>;

/** Subscriptions whose circuit is not closed, the longest in trouble first; may lag by a second. */
export async function circuitsNotClosed(
  client: DynamoDBClient,
  table: string,
): Promise<readonly SubscriptionName[]> {
  const found = await timedCircuits(client, table);
  return found
    .filter(({ circuit }) => circuit.state !== 'closed')
    .sort((one, other) => beginningOf(one).localeCompare(beginningOf(other)));
}

/** Each circuit that is not closed has a timer, and so an entry in the index: no scan is needed. */
export async function timedCircuits(client: DynamoDBClient, table: string): Promise<TimedCircuit[]> {
  const found: TimedCircuit[] = [];
  for (const shard of ALL_DUE_SHARDS) {
    const pages = queryPages(client, {
      TableName: table,
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
  return found;
}

function beginningOf({ circuit }: TimedCircuit): string {
  return circuit.in_trouble_since ?? circuit.since ?? '';
}
