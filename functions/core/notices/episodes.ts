import * as z from 'zod/mini';
import type { Subscription } from '../subscription/subscription.ts';
import type { Notice } from './notice.ts';

/** What has been told of a subscription, so that each episode is told once. */
export const episodesSchema = z.object({
  failing: z.optional(
    z.object({
      since: z.string(),
      /** When it was last seen in trouble, give or take an hour. */
      seen_at: z.string(),
      /** Openings of the circuit up to then are counted. */
      counted_to: z.string(),
      /** It is told that it has been open for an hour. */
      is_hour_told: z.optional(z.boolean()),
    }),
  ),
  given_up: z.optional(z.object({ seen_at: z.string() })),
  /** The disabling that is told. */
  disabled_at: z.optional(z.string()),
  /** Ids of the secrets that are known, and of those whose end is told. Absent before the first look. */
  secrets: z.optional(z.object({ known: z.array(z.string()), ending: z.array(z.string()) })),
  /** What has repeated since. */
  digest: z.optional(z.object({ since: z.string(), failed_again: z.int(), given_up: z.int() })),
});
export type Episodes = z.infer<typeof episodesSchema>;

/** An operational event: what notices need of it. */
export interface Happened {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly reason?: string | undefined;
  readonly failing_since?: string | undefined;
}

export type SeenSubscription = Pick<
  Subscription,
  | 'subscription_id'
  | 'state'
  | 'disabled_at'
  | 'disabled_reason'
  | 'circuit'
  | 'signing_secrets'
  | 'created_at'
>;

export interface Told {
  /** The same object when nothing is to be written. */
  readonly episodes: Episodes;
  readonly notices: readonly Notice[];
}

/** One of the things that are looked at, in turn. */
export type Step = (
  episodes: Episodes,
  seen: SeenSubscription,
  happened: readonly Happened[],
  nowMs: number,
) => Told;
