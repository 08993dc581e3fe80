import type { MessageSummary } from '../../functions/core/message/message-view.ts';

/** A page as the API answers it, newest first. */
export interface Page {
  readonly messages: readonly MessageSummary[];
  readonly next_cursor?: string;
}

/** What is listed, newest first, and where it continues. */
export interface Listed {
  readonly messages: readonly MessageSummary[];
  readonly cursor: string | undefined;
}

/**
 * The list after its first page was read again: what is new comes first, what has changed changes in its
 * place, and what fits the filter no more goes.
 */
export function withNews(listed: Listed | undefined, page: Page): Listed {
  const fresh = { messages: page.messages, cursor: page.next_cursor };
  if (listed === undefined || page.next_cursor === undefined) {
    return fresh;
  }
  const oldest = page.messages.at(-1);
  if (oldest === undefined) {
    // It looked at as many messages as a request may, and none of them fits: it says nothing of older ones.
    return listed;
  }
  const read = new Set(page.messages.map(({ message_id }) => message_id));
  const older = listed.messages.filter(
    ({ message_id, admitted_at }) => !read.has(message_id) && admitted_at <= oldest.admitted_at,
  );
  const meets = listed.messages.some(({ message_id }) => read.has(message_id));
  // More came than a page holds: between the page and what is listed something may be missing.
  return meets || older.length === 0
    ? {
        messages: [...page.messages, ...older],
        cursor: older.length === 0 ? page.next_cursor : listed.cursor,
      }
    : fresh;
}

/** The list with its next page. */
export function withOlder(listed: Listed, page: Page): Listed {
  const known = new Set(listed.messages.map(({ message_id }) => message_id));
  return {
    messages: [...listed.messages, ...page.messages.filter(({ message_id }) => !known.has(message_id))],
    cursor: page.next_cursor,
  };
}
