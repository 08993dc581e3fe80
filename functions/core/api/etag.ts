import type { Subscription } from '../subscription/subscription.ts';

/**
 * The entity tag of what the partner has set: settings, secrets, pauses. State that follows from attempts,
 * such as the circuit, does not count, so an update is not refused because a webhook failed meanwhile.
 */
export function etagOf({ revision = 1 }: Pick<Subscription, 'revision'>): string {
  return `"${revision}"`;
}

/** What `If-Match` accepts: any state, or one of these tags. */
export type IfMatch = '*' | readonly string[];

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/;
/** A comma may be part of a tag, and elements of the list may be empty. Source: RFC 9110, section 5.6.1.2. */
const OF_LIST = `(?:${ENTITY_TAG.source}[ \\t]*)?`;
const LIST = new RegExp(`^${OF_LIST}(?:,[ \\t]*${OF_LIST})*$`);

/** Parses `If-Match`: RFC 9110, section 13.1.1. Undefined when malformed. */
export function readIfMatch(header: string): IfMatch | undefined {
  const text = header.trim();
  if (text === '*') {
    return '*';
  }
  const tags = text.match(new RegExp(ENTITY_TAG, 'g')) ?? [];
  return LIST.test(text) && tags.length > 0 ? tags : undefined;
}

/**
 * A tag of ours, perhaps after a proxy has compressed the answer: CloudFront and nginx make it weak, Apache
 * and Jetty add the coding.
 */
const OURS = /^(?:W\/)?"(\d+)(?:--?(?:gzip|br|deflate|zstd))?"$/;

/**
 * Whether a tag names the current state. RFC 9110 has `If-Match` never match a weak tag, since it may stand
 * for several states. Ours cannot: it is a revision, and each change gets a new one.
 */
export function isMatch(wanted: IfMatch, { revision = 1 }: Pick<Subscription, 'revision'>): boolean {
  return wanted === '*' || wanted.some((tag) => OURS.exec(tag)?.[1] === String(revision));
}

/** Whether one of the tags may come from us: if none does, nothing follows about changes since. */
export function isOurs(wanted: IfMatch): boolean {
  return wanted === '*' || wanted.some((tag) => OURS.test(tag));
}
