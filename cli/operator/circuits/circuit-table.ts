import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { backlogReader } from '../../../functions/adapters/dynamodb/ordering-keys/backlog.ts';
import { waitingCounter } from '../../../functions/adapters/dynamodb/ordering-keys/waiting-counter.ts';
import { endpointHealthWriter } from '../../../functions/adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { subscriptionReader } from '../../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import { circuitsNotClosed } from '../../../functions/adapters/dynamodb/trouble/circuits-not-closed.ts';
import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import type { Endpoint } from '../../../functions/core/trouble/endpoints.ts';
import type { SubscriptionName } from '../../../functions/core/trouble/seen-subscription.ts';
import type { Withheld } from '../../stage/attempt-details.ts';
import { seenSubscription } from '../../stage/seen-subscription.ts';

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

/** Without the ordering keys that only workers need. */
export function viewOf({
  service_id,
  subscription_id,
  state,
  circuit,
}: Pick<Subscription, 'service_id' | 'subscription_id' | 'state' | 'circuit'>) {
  return { service_id, subscription_id, state, circuit: circuit ?? { state: 'closed' } };
}

/** For programs. What is absent is not known, or the caller may not see it. */
export function viewOfEndpoint({ subscription, health, figures, lastError, waiting, refused }: Endpoint) {
  const { callback_url, description } = subscription;
  return {
    ...viewOf(subscription),
    health,
    callback_url,
    description,
    last_error: lastError,
    recent_attempts: figures,
    waiting,
    refused_payments: refused,
  };
}
