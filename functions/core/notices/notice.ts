import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

/** What a partner is told of a subscription. `digest`: what has repeated within a day. */
export const NOTICE_KINDS = [
  'endpoint.failing',
  'endpoint.open',
  'subscription.disabled',
  'messages.given_up',
  'secret.rotated',
  'secret.ending',
  'digest',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** One notice. Instants are ISO 8601 in UTC with milliseconds. No body, no secret, nothing that an endpoint answered. */
export const noticeSchema = z.object({
  /** The same for the same episode. */
  notice_id: z.string(),
  kind: z.enum(NOTICE_KINDS),
  /** When it was decided. */
  at: z.string(),
  /** When the episode, or the day of a digest, began. */
  since: z.string(),
  /** Why a subscription was disabled. */
  reason: z.optional(z.string()),
  /** How many messages were given up. */
  given_up: z.optional(z.int()),
  /** How often the endpoint failed again. */
  failed_again: z.optional(z.int()),
  /** When the first of the secrets that end stops signing. */
  ends_at: z.optional(z.string()),
});
export type Notice = z.infer<typeof noticeSchema>;

/** How a partner is told: by mail to the contact, or by a webhook to `notices_url`. */
export const CHANNELS = ['mail', 'webhook'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A notice that was sent, or given up. */
export const toldNoticeSchema = z.extend(noticeSchema, {
  by: z.enum(CHANNELS),
  /** Masked: the domain of an address, the host of a URL. */
  to: z.string(),
  result: z.enum(['sent', 'given_up']),
  /** When it was sent, or given up. */
  ended_at: z.string(),
});
export type ToldNotice = z.infer<typeof toldNoticeSchema>;

/** @param episode what tells this episode from others of the same kind and subscription */
export function noticeOf(
  kind: NoticeKind,
  { subscription_id }: { readonly subscription_id: string },
  episode: string,
  about: Omit<Notice, 'notice_id' | 'kind'>,
): Notice {
  const digest = createHash('sha256').update(`${kind}\n${subscription_id}\n${episode}`).digest();
  return { notice_id: `ntc_${digest.subarray(0, 18).toString('base64url')}`, kind, ...about };
}
