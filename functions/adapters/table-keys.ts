/** How the items of each table are addressed, and the names of their indexes: declared once for the stacks and the adapters. */
export const subscriptionsTable = {
  partitionKey: 'service_id',
  sortKey: 'item',
  /** The routing item of a service; a subscription's own item is called by its id. */
  routesItem: 'routes',
} as const;

export const signingSecretsTable = { partitionKey: 'subscription_id' } as const;

export const apiTokensTable = { partitionKey: 'token_hash', timeToLive: 'expires_at_epoch_seconds' } as const;

export const historyTable = {
  partitionKey: 'message_id',
  sortKey: 'item',
  timeToLive: 'remove_at_epoch_seconds',
  messageItem: 'message',
  /** The resource of a large event, stored once under `event#<service id>#<event id>`. */
  resourceItem: 'resource',
  bySubscription: 'by_subscription',
  byPayment: 'by_payment',
} as const;

/** The item of a later attempt; the number is padded so that items sort as attempts happened. */
export function attemptItem(attempt: number): string {
  return `attempt#${String(attempt).padStart(5, '0')}`;
}

/** The partition of a large event's resource, by its `resourceKey`. */
export function eventPartition(resourceKey: string): string {
  return `event#${resourceKey}`;
}
