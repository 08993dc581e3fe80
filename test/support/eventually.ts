/**
 * Polls until a condition holds.
 *
 * @param holds returns something truthy when it does
 * @throws at the deadline, with what was awaited and the last value or error
 */
export async function eventually<Value>(
  what: string,
  holds: () => Promise<Value | undefined | false>,
  { deadlineMs = 110_000, everyMs = 100 } = {},
): Promise<Value> {
  const endsAt = Date.now() + deadlineMs;
  let last: unknown;
  while (Date.now() < endsAt) {
    try {
      const value = await holds();
      if (value) {
        return value;
      }
      last = value;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(
    `not within ${deadlineMs} ms: ${what}; last seen: ${last instanceof Error ? last.stack : JSON.stringify(last)}`,
  );
}
