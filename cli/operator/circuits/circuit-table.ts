import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { backlogReader } from '../../../functions/adapters/dynamodb/ordering-keys/backlog.ts';
import { waitingCounter } from '../../../functions/adapters/dynamodb/ordering-keys/waiting-counter.ts';
import { endpointHealthWriter } from '../../../functions/adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { subscriptionReader } from '../../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import { circuitsNotClosed } from '../../../functions/adapters/dynamodb/trouble/circuits-not-closed.ts';
import type { SubscriptionName } from '../../../functions/core/trouble/seen-subscription.ts';
import { seenSubscription } from '../../stage/seen-subscription.ts';
import type { Withheld } from '../../stage/withheld.ts';

export type CircuitTable = ReturnType<typeof circuitTable>;

export function circuitTable(
  client: DynamoDBClient,
  tables: { readonly subscriptions: string; readonly orderingKeys: string; readonly history: string },
  graceMs: number,
  withheld: Withheld,
) {
  return {
    /** Subscriptions whose circuit is not closed, the longest first; may lag by a second. */
    notClosed: () => circuitsNotClosed(client, tables.subscriptions),
    /** What the caller may see of it. Undefined when there is none; an error when it cannot be read. */
    seen: (name: SubscriptionName) => seenSubscription(client, tables.subscriptions, name, withheld),
    subscription: subscriptionReader(client, tables.subscriptions),
    /** The first ordering keys of the backlog. May lag by a second. */
    backlog: backlogReader(client, tables.orderingKeys, () => {}).backlog,
    /** How many messages wait, counted up to a maximum. */
    waiting: waitingCounter(client, tables.history),
    /** Writes endpoint health, on the condition of all writers; undefined if the subscription is gone. */
    change: endpointHealthWriter(client, { table: tables.subscriptions, graceMs }),
  };
}
