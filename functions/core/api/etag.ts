import type { Subscription } from '../subscription/subscription.ts';

/**
 * The entity tag of what the partner has set: settings, secrets, pauses. State that follows from attempts,
 * such as the circuit, does not count, so an update is not refused because a webhook failed meanwhile.
 * Strong: RFC 9110, section 8.8.3.
 */
export function etagOf({ revision = 1 }: Pick<Subscription, 'revision'>): string {
  return `"${revision}"`;
}

/** What `If-Match` accepts: any state, or one of these tags. */
export type IfMatch = '*' | readonly string[];

const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** Parses `If-Match`: RFC 9110, section 13.1.1. Undefined when malformed. */
export function readIfMatch(header: string): IfMatch | undefined {
  const text = header.trim();
  if (text === '*') {
    return '*';
  }
  const tags = text.split(',').map((tag) => tag.trim());
  return tags.every((tag) => ENTITY_TAG.test(tag)) ? tags : undefined;
}

/** The comparison is strong, so a weak tag, as some proxies make of ours, never matches. */
export function isMatch(wanted: IfMatch, subscription: Pick<Subscription, 'revision'>): boolean {
  return wanted === '*' || wanted.includes(etagOf(subscription));
}
