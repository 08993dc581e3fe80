import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';

/** What the links of mails are for. */
export const LINK_PURPOSES = ['confirm', 'unsubscribe'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

export interface Link {
  readonly purpose: LinkPurpose;
  readonly serviceId: string;
  readonly subscriptionId: string;
  /** Says which address it was sent to, without naming it. */
  readonly address: string;
}

/** A week to confirm. Whoever no longer wants mails may say so for ever. */
export const CONFIRM_WITHIN_MS = 7 * 86_400_000;

const contentSchema = z.tuple([z.enum(LINK_PURPOSES), z.string(), z.string(), z.string(), z.number()]);

/** Longer than any that we make. */
const MAX_TOKEN = 1_000;

/**
 * The token of a link: what it is for, signed. It needs no account, and says nothing but ids.
 *
 * @param key 32 random bytes
 */
export function linkToken(key: Uint8Array, link: Link, nowMs: number): string {
  const { purpose, serviceId, subscriptionId, address } = link;
  const endsAt = purpose === 'confirm' ? Math.floor((nowMs + CONFIRM_WITHIN_MS) / 1_000) : 0;
  const content = JSON.stringify([purpose, serviceId, subscriptionId, address, endsAt]);
  const text = Buffer.from(content).toString('base64url');
  return `${text}.${macOf(key, text).toString('base64url')}`;
}

/** What a token is for; undefined when it is not ours. */
export function readLink(
  key: Uint8Array,
  token: string,
  nowMs: number,
): (Link & { readonly isExpired: boolean }) | undefined {
  const [text = '', mac = '', ...more] = token.length > MAX_TOKEN ? [] : token.split('.');
  const given = Buffer.from(mac, 'base64url');
  const expected = macOf(key, text);
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return undefined;
  }
  const [purpose, serviceId, subscriptionId, address, endsAt] = contentSchema.parse(
    JSON.parse(Buffer.from(text, 'base64url').toString()),
  );
  const isExpired = endsAt > 0 && endsAt * 1_000 <= nowMs;
  return { purpose, serviceId, subscriptionId, address, isExpired };
}

function macOf(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(`payhooks notices link\n${text}`).digest();
}
