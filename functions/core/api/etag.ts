import type { Subscription } from '../subscription/subscription.ts';

/**
 * The entity tag of what its owner has made of a subscription: settings, secrets, pauses. What its receiver and its circuit make of it does not
 * count, so that a change is not refused because a webhook failed meanwhile. Strong: RFC 9110, section 8.8.3.
 */
export function etagOf({ revision = 1 }: Pick<Subscription, 'revision'>): string {
  return `"${revision}"`;
}

/** What `If-Match` asks for: any state, or one that has one of these tags. */
export type IfMatch = '*' | readonly string[];

const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** Reads `If-Match`: RFC 9110, section 13.1.1. Undefined when it is malformed. */
export function readIfMatch(header: string): IfMatch | undefined {
  const text = header.trim();
  if (text === '*') {
    return '*';
  }
  const tags = text.split(',').map((tag) => tag.trim());
  return tags.every((tag) => ENTITY_TAG.test(tag)) ? tags : undefined;
}

/** A weak tag, as some proxy makes one of ours, matches never: the comparison is strong. */
export function isMatch(wanted: IfMatch, subscription: Pick<Subscription, 'revision'>): boolean {
  return wanted === '*' || wanted.includes(etagOf(subscription));
}
