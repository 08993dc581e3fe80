/** The last line of a list that continues. */
export function moreText(cursor: string | undefined): string[] {
  return cursor === undefined ? [] : [`  … and more: a greater --limit, or --cursor ${cursor}`];
}
