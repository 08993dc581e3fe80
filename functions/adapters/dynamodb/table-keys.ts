import {
  joined,
  partsOf,
  paymentHash,
  type ResourceName,
  type UndeliveredState,
} from '../../core/message/message.ts';
import type { Item } from './marshalled.ts';

/**
 * The keys of the items in each table, and the names of the indexes: declared once for stacks and adapters.
 */
export const subscriptionsTable = {
  partitionKey: 'service_id',
  sortKey: 'item',
  /** The routing item of a service; the sort key of a subscription is its id. */
  routesItem: 'routes',
  timeToLive: 'remove_at_epoch_seconds',
  recoveryPrefix: 'recovery#',
  /** The names of all services, each as a sort key, under a key that no service can have. */
  services: '#services',
  /** The public halves of the stage's keys, in one item: its key of both kinds, which no service can have. */
  stageKeys: '#keys',
  /** How many circuits drained in a second: one item per second, likewise. */
  drains: '#drains',
  /** How many slow attempts the stage had under way in a second, likewise. */
  slowAttempts: '#slow',
  /** The books of notices, each under its subscription's id, likewise. */
  notices: '#notices',
  /** Circuits and recoveries that sweep must check: sparse, by `due_shard` and `check_at`. */
  due: 'due',
} as const;

/** Blocked ordering keys, each with its queued messages. */
export const orderingKeysTable = {
  partitionKey: 'ordering_key',
  sortKey: 'item',
  keyItem: 'ordering_key',
  queuedMessagePrefix: 'queued_message#',
  /** The backlog of a subscription, sparse: by `backlog_of`, its id, and `backlogged_at`. */
  backlog: 'backlog',
  /** The ordering keys that sweep must check, sparse: by `due_shard` and `check_at`. */
  due: 'due',
  /** The ordering keys of all backlogs by age, sparse: by `aging_shard` and `age_check_at`. */
  aging: 'aging',
  /** The stuck ordering keys, sparse: by `stuck`, which is always `yes`, and `since`. */
  stuck: 'stuck',
  isStuck: 'yes',
} as const;

/** Payments with numbered events, each with those that wait for their turn. */
export const sequencesTable = {
  /** The payment's `paymentKey`. */
  partitionKey: 'payment',
  sortKey: 'item',
  timeToLive: 'remove_at_epoch_seconds',
  /** How far the payment is. */
  sequenceItem: 'sequence',
  earlyPrefix: 'early_event#',
  /** A payment that waits for an operator, and its events. */
  stuckItem: 'stuck_payment',
  stuckPrefix: 'stuck_event#',
  /** The payments that wait for an operator, sparse: by `stuck`, which is always `yes`, and `since`. */
  stuck: 'stuck',
  /** The payments of which something waits, sparse: by `due_shard` and `check_at`. */
  due: 'due',
} as const;

/** The number of partitions of each index that sweep reads, so that no partition takes all writes. */
export const DUE_SHARDS = 8;

/** The sort key of a queued message, by its position. */
export function queuedMessageItem(position: string): string {
  return `${orderingKeysTable.queuedMessagePrefix}${position}`;
}

/** The sort key of a subscription's newest recovery. */
export function recoveryItem(subscriptionId: string): string {
  return `${subscriptionsTable.recoveryPrefix}${subscriptionId}`;
}

/**
 * Counts of slow attempts of a subscription, by the second: in a partition of its own, under a key that no
 * service can have.
 */
export function slowAttemptsOf(subscriptionId: string): string {
  return `#slow#${subscriptionId}`;
}

/** Likewise: the running totals of its answers. */
export function answersOf(subscriptionId: string): string {
  return `#answers#${subscriptionId}`;
}

/** Likewise: test pings requested for a service or a subscription, by the minute. */
export function pingsOf(id: string): string {
  return `#pings#${id}`;
}

/** Likewise: recoveries of a service that took a step, by the second. */
export function recoveriesOf(serviceId: string): string {
  return `#recoveries#${serviceId}`;
}

export const ASKED_PREFIX = '#asked#';

/** Likewise: how often an address was asked whether it wants notices; `digest` names it. */
export function askedOf(digest: string): string {
  return `${ASKED_PREFIX}${digest}`;
}

/** Likewise, in the tables of subscriptions and of sequences: a record that may have ended its workers. */
export function suspectOf(recordId: string): string {
  return `#suspect#${recordId}`;
}

export const signingSecretsTable = {
  partitionKey: 'subscription_id',
  /** The key that signs the links of notices, under an id that no subscription can have. */
  noticeLinks: '#notices',
} as const;

export const apiTokensTable = {
  partitionKey: 'token_hash',
  timeToLive: 'remove_at_epoch_seconds',
  /** The tokens of a service: by `service_id` and `created_at`. */
  byService: 'by_service',
} as const;

/** Under keys that no token and no service can have; the grant of the api names what they begin with. */
export const PORTAL_PREFIX = '#portal#';

/** A portal session, in the table of tokens. */
export function portalSessionKey(sessionId: string): string {
  return `${PORTAL_PREFIX}${sessionId}`;
}

/** The sessions of a service, in the index by service. */
export function portalSessionsOf(serviceId: string): string {
  return `${PORTAL_PREFIX}${serviceId}`;
}

/** Likewise, for sessions of a whole stage: the grants of those who make and use them name it. */
export const STAGE_PREFIX = '#stage#';

export function stageSessionKey(sessionId: string): string {
  return `${STAGE_PREFIX}${sessionId}`;
}

/** Answers to partners' requests, kept for a day: `request` is a hash of who asks and the key. */
export const idempotencyTable = {
  partitionKey: 'request',
  timeToLive: 'remove_at_epoch_seconds',
} as const;

/** Changes made by partners: `change_id` is the instant and the id of the request. */
export const auditTable = {
  partitionKey: 'service_id',
  sortKey: 'change_id',
  timeToLive: 'remove_at_epoch_seconds',
} as const;

/**
 * The trail of the stage is stored beside those of services, under a name that no service can have: no
 * partner can read it.
 */
export const OPERATORS = '#operators';

/** Statistics of a subscription: one item per hour, by the instant at which it began. */
export const statisticsTable = {
  partitionKey: 'subscription_id',
  sortKey: 'since',
  timeToLive: 'remove_at_epoch_seconds',
} as const;

/**
 * Hold how many times to send, or to acknowledge, fell into a bucket of an hour, and how many attempts failed
 * for a reason. An attribute for each, because `ADD` creates an attribute but no member of a map. Names are
 * short, so that a usual item has less than 1 KB: one write unit.
 */
export const DISTRIBUTION_PREFIXES = { times: 't', acknowledged: 'a', failures: 'f_' } as const;

/** Holds how far an hour has counted a shard of the history's stream, which the hash names. */
export const countedToAttribute = (hash: string) => `to_${hash}`;

export const historyTable = {
  /** The payment's `paymentHash`: the first half of the ids of its messages. */
  partitionKey: 'payment_hash',
  sortKey: 'item',
  timeToLive: 'remove_at_epoch_seconds',
  /** A message, by the second half of its id; its attempts after the first lie behind it. */
  messagePrefix: 'message#',
  /** The resource of a large event, stored once for its messages, by the event's id. */
  eventPrefix: 'event#',
  bySubscription: 'by_subscription',
  /** Messages that are not delivered, sparse: by `undelivered` (see `undeliveredOf`) and `admitted_at`. */
  undelivered: 'undelivered',
} as const;

/** The partition of messages of a subscription in a state. One attribute, since PartiQL takes no more. */
export function undeliveredOf(subscriptionId: string, state: UndeliveredState): string {
  return `${subscriptionId}#${state}`;
}

/** The state in such a key. */
export function stateIn(undelivered: string): string | undefined {
  return undelivered.split('#')[1];
}

const ATTEMPT_INFIX = '#attempt#';

export function messageAddress(messageId: string): Item {
  const { paymentHash: payment, messageHash } = partsOf(messageId);
  return historyAddress(payment, `${historyTable.messagePrefix}${messageHash}`);
}

/** Of a later attempt; zero-padded, so that items sort in the order of attempts. */
export function attemptAddress(messageId: string, attempt: number): Item {
  const { [historyTable.partitionKey]: payment, [historyTable.sortKey]: message } = messageAddress(messageId);
  return historyAddress(payment, `${message}${ATTEMPT_INFIX}${String(attempt).padStart(5, '0')}`);
}

export function resourceAddress(of: ResourceName): Item {
  return historyAddress(paymentHash(of), `${historyTable.eventPrefix}${of.event_id}`);
}

function historyAddress(payment: unknown, item: string): Item {
  return { [historyTable.partitionKey]: payment, [historyTable.sortKey]: item };
}

/** The message that an item of the history is about. Undefined: it is none, but the resource of an event. */
export function messageIdAt(address: Item): string | undefined {
  const [payment, item] = [address[historyTable.partitionKey], address[historyTable.sortKey]].map(String);
  return item?.startsWith(historyTable.messagePrefix)
    ? joined(payment as string, item.slice(historyTable.messagePrefix.length).split('#')[0] as string)
    : undefined;
}

export function isAttemptItem(item: string): boolean {
  return item.startsWith(historyTable.messagePrefix) && item.includes(ATTEMPT_INFIX);
}

export function isMessageItem(item: string): boolean {
  return item.startsWith(historyTable.messagePrefix) && !item.includes(ATTEMPT_INFIX);
}
