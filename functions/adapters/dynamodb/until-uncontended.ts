import { ContendedError } from '../../core/errors/contended-error.ts';
import { SLEEPS_MS, untilDone } from './until-done.ts';

/** A try to change something: its result, or what the next try begins with after a concurrent change. */
type Try<State, Result> = { readonly result: Result } | { readonly again: State };

/**
 * Changes something by optimistic lock, retrying after growing pauses while concurrent changes win.
 *
 * @param once decides on what was read, and writes on the condition that it has not changed
 * @param sleepsMs one pause before each retry
 * @throws ContendedError when every try met a concurrent change
 */
export async function untilUncontended<State, Result>(
  state: State,
  once: (state: State) => Promise<Try<State, Result>>,
  sleepsMs: readonly number[] = SLEEPS_MS,
): Promise<Result> {
  let last: { readonly result: Result } | undefined;
  await untilDone(
    { again: state },
    async ({ again }) => {
      const tried = await once(again);
      if ('again' in tried) {
        return tried;
      }
      last = tried;
      return undefined;
    },
    sleepsMs,
  );
  if (last === undefined) {
    throw new ContendedError(sleepsMs.length + 1);
  }
  return last.result;
}
