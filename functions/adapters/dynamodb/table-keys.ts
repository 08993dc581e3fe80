/** How the items of each table are addressed, and the names of their indexes: declared once for the stacks and the adapters. */
export const subscriptionsTable = {
  partitionKey: 'service_id',
  sortKey: 'item',
  /** The routing item of a service; a subscription's own item is called by its id. */
  routesItem: 'routes',
  timeToLive: 'remove_at_epoch_seconds',
  recoveryPrefix: 'recovery#',
  /** How many circuits drained in a second: items by the second, under a name that no service can have. */
  drains: '#drains',
  /** How many slow attempts the stage had under way in a second, likewise. */
  slowAttempts: '#slow',
  /** Circuits and recoveries that sweep has to look at: sparse, by `due_shard` and `check_at`. */
  due: 'due',
} as const;

/** Paused keys, each with the pointers to the messages that wait in it. */
export const orderingKeysTable = {
  partitionKey: 'ordering_key',
  sortKey: 'item',
  keyItem: 'key',
  pointerPrefix: 'pointer#',
  /** The keys in line of a subscription, sparse: by `line`, which is the subscription's id, and `parked_at`. */
  line: 'line',
  /** The keys that sweep has to look at, sparse: by `due_shard` and `check_at`. */
  due: 'due',
  /** The keys in line by the age of what waits in them, sparse: by `aging_shard` and `age_check_at`. */
  aging: 'aging',
  /** The keys that wait for an operator, sparse: by `faulted`, which is always `yes`, and `since`. */
  faulted: 'faulted',
  isFaulted: 'yes',
} as const;

/** The indexes that sweep reads are split over so many partitions, so that no single one takes all writes. */
export const DUE_SHARDS = 8;

/** The item of a pointer, by its place in the key. */
export function queuedMessageItem(position: string): string {
  return `${orderingKeysTable.pointerPrefix}${position}`;
}

/** The item of a subscription's newest recovery. */
export function recoveryItem(subscriptionId: string): string {
  return `${subscriptionsTable.recoveryPrefix}${subscriptionId}`;
}

/** Under a name that no service can have, and each in a partition of its own: how many slow attempts a subscription had under way, by the second. */
export function slowAttemptsOf(subscriptionId: string): string {
  return `#slow#${subscriptionId}`;
}

/** And all that was counted of its answers. */
export function answersOf(subscriptionId: string): string {
  return `#answers#${subscriptionId}`;
}

/** And how many test pings a service, or a subscription, asked for, by the minute. */
export function pingsOf(id: string): string {
  return `#pings#${id}`;
}

/** And how many recoveries of a service took a step, by the second. */
export function recoveriesOf(serviceId: string): string {
  return `#recoveries#${serviceId}`;
}

export const signingSecretsTable = { partitionKey: 'subscription_id' } as const;

export const apiTokensTable = {
  partitionKey: 'token_hash',
  timeToLive: 'remove_at_epoch_seconds',
  /** The tokens of a service: by `service_id` and `created_at`. */
  byService: 'by_service',
} as const;

/** What the wishes of partners were answered, for a day. */
export const idempotencyTable = { partitionKey: 'wish', timeToLive: 'remove_at_epoch_seconds' } as const;

/** What partners have changed, by when: `place` is the instant and the id of the request. */
export const auditTable = {
  partitionKey: 'service_id',
  sortKey: 'place',
  timeToLive: 'remove_at_epoch_seconds',
} as const;

/** What was counted of a subscription: an item for each hour, by the instant at which that began. */
export const statisticsTable = {
  partitionKey: 'subscription_id',
  sortKey: 'since',
  timeToLive: 'remove_at_epoch_seconds',
} as const;

export const historyTable = {
  partitionKey: 'message_id',
  sortKey: 'item',
  timeToLive: 'remove_at_epoch_seconds',
  messageItem: 'message',
  attemptPrefix: 'attempt#',
  /** The resource of a large event, stored once under `event#<service id>#<event id>`. */
  resourceItem: 'resource',
  bySubscription: 'by_subscription',
  byPayment: 'by_payment',
  /** Messages that ended without success, sparse: by `unsuccessful_on`, a day such as 2026-11-14, and `ended_at`. */
  unsuccessful: 'unsuccessful',
  /** Messages that are not final, sparse: by `waiting_for`, which is the subscription's id, and `admitted_at`. */
  waiting: 'waiting',
} as const;

/** The item of a later attempt; the number is padded so that items sort as attempts happened. */
export function attemptItem(attempt: number): string {
  return `${historyTable.attemptPrefix}${String(attempt).padStart(5, '0')}`;
}

export function isAttemptItem(item: string): boolean {
  return item.startsWith(historyTable.attemptPrefix);
}

/** The partition of a large event's resource, by its `resourceKey`. */
export function eventPartition(resourceKey: string): string {
  return `event#${resourceKey}`;
}
