import type { MessageSummary } from '../../functions/core/message/message-view.ts';

/** A page as the API answers it, newest first. */
export interface Page {
  readonly messages: readonly MessageSummary[];
  readonly next_cursor?: string;
}

/** What is listed, newest first, and where it continues. */
export interface Listed {
  readonly messages: readonly MessageSummary[];
  /** `until`: at the messages that were accepted before this instant. Undefined: there are no older ones. */
  readonly next: { readonly cursor: string } | { readonly until: string } | undefined;
}

/** New messages make a list no longer than this. Whoever asks for older ones gets a longer one. */
export const MAX_LISTED = 200;

/**
 * The list after its first page was read again: what is new comes first, what has changed changes in its
 * place, and what fits the filter no more goes. What grows too long loses its end.
 */
export function withNews(listed: Listed | undefined, page: Page): Listed {
  const fresh = { messages: page.messages, next: nextOf(page) };
  if (listed === undefined || page.next_cursor === undefined) {
    return fresh;
  }
  const read = new Set(page.messages.map(({ message_id }) => message_id));
  const meets = listed.messages.some(({ message_id }) => read.has(message_id));
  // More came than a page holds: between the page and what is listed something may be missing. An empty page
  // has looked at as many messages as a request may, and says nothing of older ones.
  if (page.messages.length > 0 && !meets && olderThan(listed, page).length > 0) {
    return fresh;
  }
  return shortened(withAgain(listed, page), Math.max(MAX_LISTED, listed.messages.length));
}

/**
 * The list after a part of it was read again.
 *
 * @param until the page holds those that were accepted before this instant; undefined: the newest
 */
export function withAgain(listed: Listed, page: Page, until?: string): Listed {
  if (page.next_cursor !== undefined && page.messages.length === 0) return listed;
  const newer = until === undefined ? [] : listed.messages.filter(({ admitted_at }) => admitted_at >= until);
  const older = olderThan(listed, page);
  return {
    messages: [...newer, ...page.messages, ...older],
    next: older.length === 0 ? nextOf(page) : listed.next,
  };
}

/** The list with its next page. */
export function withOlder(listed: Listed, page: Page): Listed {
  const known = new Set(listed.messages.map(({ message_id }) => message_id));
  return {
    messages: [...listed.messages, ...page.messages.filter(({ message_id }) => !known.has(message_id))],
    next: nextOf(page),
  };
}

/** Those of the list that the page does not reach. */
function olderThan(listed: Listed, page: Page): readonly MessageSummary[] {
  const oldest = page.messages.at(-1);
  if (oldest === undefined || page.next_cursor === undefined) return [];
  const read = new Set(page.messages.map(({ message_id }) => message_id));
  return listed.messages.filter(
    ({ message_id, admitted_at }) => !read.has(message_id) && admitted_at <= oldest.admitted_at,
  );
}

/** A cut list continues at its last message: no cursor leads there. */
function shortened(listed: Listed, length: number): Listed {
  const last = listed.messages[length - 1];
  return last === undefined || listed.messages.length === length
    ? listed
    : { messages: listed.messages.slice(0, length), next: { until: justAfter(last.admitted_at) } };
}

function nextOf({ next_cursor: cursor }: Page): Listed['next'] {
  return cursor === undefined ? undefined : { cursor };
}

/** Those that the list did not have before. */
export function addedTo(before: Listed, { messages }: Listed): readonly MessageSummary[] {
  const known = new Set(before.messages.map(({ message_id }) => message_id));
  return messages.filter(({ message_id }) => !known.has(message_id));
}

/** So that what was accepted at that very instant is before it. */
function justAfter(iso: string): string {
  return new Date(Date.parse(iso) + 1).toISOString();
}
