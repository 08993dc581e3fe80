import * as z from 'zod/mini';
import {
  areSecretsOf,
  type KeptSecrets,
  keptSecretsSchema,
  REVISION_GOOD_FOR_MS,
  SECRETS_CACHED_MS,
} from '../../../core/attempt/signing-keys.ts';
import type { KnownSecrets } from '../../../core/ordering/delivery-reader.ts';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import { RecentlyUsed } from '../../../runtime/recently-used.ts';
import type { Item } from '../marshalled.ts';
import { readable } from '../readable.ts';

const secretsItemSchema = z.extend(keptSecretsSchema, { subscription_id: z.string() });

/** Cached secrets, and the revision of the subscription that was seen before or while they were read. */
interface Cached {
  readonly secrets: KeptSecrets;
  readonly revision: number;
  readonly goodUntilMs: number;
}

type Subscriptions = ReadonlyMap<string, Subscription>;

/**
 * How many subscriptions' secrets an environment keeps, at some KB each with their headers: far more than it
 * sends for in a minute.
 */
const MAX_CACHED = 1_000;

/**
 * Caches the secrets and custom headers of subscriptions for up to a minute. Shared by all look-ups of an
 * environment, including concurrent ones.
 */
export class SecretsCache {
  readonly #cached: RecentlyUsed<Cached>;

  constructor(max = MAX_CACHED) {
    this.#cached = new RecentlyUsed(max);
  }

  lookUp(subscriptionIds: readonly string[], nowMs: number): SecretsLookUp {
    return new SecretsLookUp(this.#cached, subscriptionIds, nowMs);
  }
}

/** One look-up. What it has found stays, whatever concurrent look-ups read or forget. */
export class SecretsLookUp {
  /** Ids whose secrets were not cached, or have expired. */
  readonly stale: readonly string[];
  readonly #cached: RecentlyUsed<Cached>;
  readonly #own = new Map<string, Cached>();
  readonly #nowMs: number;

  constructor(cached: RecentlyUsed<Cached>, subscriptionIds: readonly string[], nowMs: number) {
    this.#cached = cached;
    this.#nowMs = nowMs;
    for (const id of subscriptionIds) {
      const known = cached.get(id);
      if (known !== undefined && known.goodUntilMs > nowMs) {
        this.#own.set(id, known);
      }
    }
    this.stale = subscriptionIds.filter((id) => !this.#own.has(id));
  }

  /** Ids whose cached secrets were read before or during the partner's last change of the subscription. */
  overtaken(subscriptions: Subscriptions): string[] {
    return [...subscriptions].flatMap(([id, subscription]) => {
      const known = this.#own.get(id);
      const isOvertaken =
        known !== undefined &&
        (known.revision !== revisionOf(subscription) || !areSecretsOf(subscription, known.secrets));
      return isOvertaken ? [id] : [];
    });
  }

  /** Stores what was read. Secrets that no longer exist are forgotten: they must not sign. */
  keep(
    subscriptionIds: readonly string[],
    items: readonly Item[],
    subscriptions: Subscriptions,
    onInternalError: (internalError: Error, id: string) => void,
  ): void {
    const goodUntilMs = this.#nowMs + SECRETS_CACHED_MS;
    // An entry of a later look-up stays: it may reflect a change made in between.
    const isNews = (id: string) => (this.#cached.get(id)?.goodUntilMs ?? 0) <= goodUntilMs;
    for (const id of subscriptionIds) {
      this.#own.delete(id);
      if (isNews(id)) {
        this.#cached.delete(id);
      }
    }
    for (const { subscription_id: id, ...secrets } of readable(
      items,
      secretsItemSchema,
      'subscription_id',
      onInternalError,
    )) {
      const read = { secrets, revision: revisionOf(subscriptions.get(id)), goodUntilMs };
      this.#own.set(id, read);
      if (isNews(id)) {
        this.#cached.set(id, read);
      }
    }
  }

  found(): Map<string, KnownSecrets> {
    return new Map([...this.#own].map(([id, known]) => [id, knownNow(known, this.#nowMs)]));
  }
}

function knownNow({ secrets, goodUntilMs }: Cached, nowMs: number): KnownSecrets {
  return { ...secrets, goodUntilMs: Math.min(goodUntilMs, nowMs + REVISION_GOOD_FOR_MS) };
}

/** A subscription without a revision has revision 1. */
function revisionOf(subscription: Subscription | undefined): number {
  return subscription?.revision ?? 1;
}
