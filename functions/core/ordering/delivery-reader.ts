import type { KeptSecrets } from '../attempt/signing-keys.ts';
import type { MessageRecord } from '../message/history.ts';
import type { ResourceName } from '../message/message.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { BlockedKey } from './blocked-ordering-key.ts';

/** What a batch needs to read before it starts. */
export interface Wanted {
  readonly subscriptions: readonly { readonly service_id: string; readonly subscription_id: string }[];
  /** Ordering keys: whether they are blocked. */
  readonly keys: readonly string[];
  /** Messages that may be duplicates. */
  readonly messageIds: readonly string[];
  /** Events whose resource is not in their messages. */
  readonly resources: readonly ResourceName[];
}

/** The secrets of a subscription, as they were read. */
export interface KnownSecrets extends KeptSecrets {
  /** When they have to be read again, in ms since 1970. @default - good for the whole batch */
  readonly goodUntilMs?: number;
}

export interface Found {
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** By subscription; which of them are active is decided when they sign. */
  readonly secrets: ReadonlyMap<string, KnownSecrets>;
  /** The ordering keys that are blocked. */
  readonly keys: ReadonlyMap<string, BlockedKey>;
  readonly records: ReadonlyMap<string, MessageRecord>;
  /** JSON texts by `resourceKey` of the event; an empty one was erased. */
  readonly resources: ReadonlyMap<string, string>;
  /**
   * What is stored and cannot be read, by id of the subscription, ordering key or message: no other is
   * concerned.
   */
  readonly internalErrors: ReadonlyMap<string, Error>;
  /**
   * What could not be read now, since a table or a partition is throttled: by id of the subscription (or its
   * secrets) or message, by ordering key, or by `resourceKey`. What depends on it is redelivered, and nothing
   * else.
   */
  readonly untaken: ReadonlySet<string>;
}

export interface DeliveryReader {
  /**
   * One call, strongly consistent except for secrets, which may be a minute old. What does not exist is left
   * out.
   */
  lookUp(wanted: Wanted): Promise<Found>;
}
