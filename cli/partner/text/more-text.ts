/** The last line of a list that goes on. */
export function moreText(cursor: string | undefined): string[] {
  return cursor === undefined ? [] : [`  … and more: a greater --limit, or --cursor ${cursor}`];
}
