/** An instant as records store it: ISO 8601 in UTC with milliseconds, which sorts chronologically. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
