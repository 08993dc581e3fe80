/** What a reader sees of a page: its text, without what is only in the style sheet or in charts. */
export function textOf(page: string): string {
  return page
    .replace(/<(style|svg)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');
}

const VOID = new Set(['meta']);

/** The page is well-formed and self-contained, and has no invalid number. */
export function expectSound(page: string): void {
  expect(isWellFormed(page)).toBe(true);
  expect(loadedAddresses(page)).toEqual([]);
  expect(page).not.toMatch(/NaN|Infinity|undefined|\[object/);
}

/** Whether every element is closed, every attribute quoted and all text escaped. */
function isWellFormed(page: string): boolean {
  const open: string[] = [];
  const markup = page.replace(/^<!doctype html>/, '').replace(/<style>.*?<\/style>/s, '');
  for (const [tag] of markup.matchAll(/<[^>]*>?/g)) {
    const [, close, name = '', attributes = '', empty] =
      /^<(\/?)([a-z][a-z0-9]*)([^>]*?)(\/?)>$/.exec(tag) ?? [];
    if (!name || !/^(\s+[a-zA-Z][a-zA-Z0-9-]*="[^"<]*")*$/.test(attributes.replace(/\s+$/, ''))) {
      return false;
    }
    if (close) {
      if (open.pop() !== name) {
        return false;
      }
    } else if (!empty && !VOID.has(name)) {
      open.push(name);
    }
  }
  return open.length === 0 && !/&(?!(amp|lt|gt|quot|#39);)/.test(markup);
}

/** What a browser would fetch for the page; following a link is left to its reader. */
function loadedAddresses(page: string): string[] {
  const found = page.matchAll(
    /\b(?:src|srcset|data|action|poster|xlink:href)\s*=\s*"[^"]*"|<link\b[^>]*>|url\([^)]*\)|@import[^;]*/gi,
  );
  return [...found].map(([text]) => text);
}
