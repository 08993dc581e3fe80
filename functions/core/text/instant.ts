/** An instant as our records hold it: ISO 8601 in UTC with milliseconds, which sorts as time goes. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
