/** Pauses between tries, in ms: together about a second and a half, well inside every function's time. */
const SLEEPS_MS = [25, 50, 100, 200, 400, 800];

export const MAX_TRIES = SLEEPS_MS.length + 1;

/**
 * Does work of which AWS may leave a part undone, again and again with what was left, after growing pauses with full jitter.
 *
 * @param once takes what is to be done and answers what was left undone; undefined when nothing was
 * @param sleepsMs one before each further try
 * @returns what was left after the last try; undefined when all is done
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
