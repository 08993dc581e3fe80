/**
 * Pauses between tries, in ms: about a second and a half in total, well within the timeout of every function.
 */
export const SLEEPS_MS = [25, 50, 100, 200, 400, 800];

/**
 * Does work that AWS may leave partly undone, retrying the rest after growing pauses with full jitter.
 *
 * @param once does the work and returns what is left; undefined when nothing is
 * @param sleepsMs one pause before each retry
 * @returns what is left after the last try; undefined when all is done
 */
export async function untilDone<Work>(
  work: Work,
  once: (work: Work) => Promise<Work | undefined>,
  sleepsMs: readonly number[] = SLEEPS_MS,
): Promise<Work | undefined> {
  let left = await once(work);
  for (const sleepMs of sleepsMs) {
    if (left === undefined) {
      return undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * sleepMs));
    left = await once(left);
  }
  return left;
}
