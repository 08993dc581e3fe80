import * as z from 'zod/mini';
import {
  areSecretsOf,
  type KeptSecrets,
  keptSecretsSchema,
  REVISION_GOOD_FOR_MS,
  SECRETS_CACHED_MS,
} from '../../../core/attempt/signing-keys.ts';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import type { KnownSecrets } from '../../../pipeline/deliver/ports.ts';
import { RecentlyUsed } from '../../../runtime/recently-used.ts';
import type { Item } from '../marshalled.ts';
import { readable } from '../readable.ts';

const secretsItemSchema = z.extend(keptSecretsSchema, { subscription_id: z.string() });

/** Secrets at hand, and the revision of the subscription that was seen before they were read, or with them. */
interface Cached {
  readonly secrets: KeptSecrets;
  readonly revision: number;
  readonly goodUntilMs: number;
}

type Subscriptions = ReadonlyMap<string, Subscription>;

/** Of so many subscriptions an environment keeps the secrets, some KB each with their headers: far more than one is sent records of in a minute. */
const MAX_CACHED = 1_000;

/** What is secret of subscriptions, kept for a minute at most. All look-ups of an environment share it, also those that are under way at the same time. */
export class SecretsCache {
  readonly #cached: RecentlyUsed<Cached>;

  constructor(max = MAX_CACHED) {
    this.#cached = new RecentlyUsed(max);
  }

  /** Begins a look-up of subscriptions. */
  lookUp(subscriptionIds: readonly string[], nowMs: number): SecretsLookUp {
    return new SecretsLookUp(this.#cached, subscriptionIds, nowMs);
  }
}

/** One look-up: what it has at hand, nobody takes from it, however much others read or forget meanwhile. */
export class SecretsLookUp {
  /** Those that were not at hand, or a minute old. */
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

  /** Those whose secrets at hand were read before the owner changed the subscription, or while it was being changed. */
  overtaken(subscriptions: Subscriptions): string[] {
    return [...subscriptions].flatMap(([id, subscription]) => {
      const known = this.#own.get(id);
      const isOvertaken =
        known !== undefined &&
        (known.revision !== revisionOf(subscription) || !areSecretsOf(subscription, known.secrets));
      return isOvertaken ? [id] : [];
    });
  }

  /** Takes what was read of them. What is not there any more is forgotten: it must not sign any more. */
  keep(
    subscriptionIds: readonly string[],
    items: readonly Item[],
    subscriptions: Subscriptions,
    onInternalError: (internalError: Error, id: string) => void,
  ): void {
    const goodUntilMs = this.#nowMs + SECRETS_CACHED_MS;
    // What a look-up has read that began later stays: it may know of a change that was made in between.
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

/** Absent: 1. */
function revisionOf(subscription: Subscription | undefined): number {
  return subscription?.revision ?? 1;
}
