import type { ChangeView } from '../../functions/core/api/change.ts';

/** A page as the API answers it, newest first; and what is listed, which no change ever leaves. */
export interface Page {
  readonly changes: readonly ChangeView[];
  readonly next_cursor?: string;
}

/** The list after its first page was read again. */
export function withNewest(listed: Page | undefined, page: Page): Page {
  if (listed === undefined) return page;
  // Of one subscription a page may be short or empty, and says nothing of older ones.
  if (page.changes.length === 0) return page.next_cursor === undefined ? page : listed;
  const read = new Set(page.changes.map(keyOf));
  const older = listed.changes.filter((one) => !read.has(keyOf(one)));
  // More came than a page holds: between it and what is listed something may be missing.
  if (older.length === listed.changes.length) return page;
  return { ...listed, changes: [...page.changes, ...older] };
}

/** The list with its next page. */
export function withOlder(listed: Page, page: Page): Page {
  const known = new Set(listed.changes.map(keyOf));
  return { ...page, changes: [...listed.changes, ...page.changes.filter((one) => !known.has(keyOf(one)))] };
}

export function keyOf({ at, request_id }: ChangeView): string {
  return `${at} ${request_id}`;
}
