import { randomInt } from 'node:crypto';
import fc from 'fast-check';

/** Inputs of each fuzzed reader: two hundred before a push, more with FUZZED_INPUTS. */
export const FUZZED_INPUTS = Number(process.env.FUZZED_INPUTS ?? 200);

/** For one test, in ms: an input may take three milliseconds, where others use the processors, too. */
export const FUZZING_MS = 30_000 + 3 * FUZZED_INPUTS;

/**
 * Drawn anew for each file; FUZZ_SEED repeats one. A long run prints it, since it is worth a record when it
 * passes, too.
 */
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
fc.configureGlobal({ seed });
if (process.env.FUZZED_INPUTS !== undefined) {
  process.stderr.write(`${FUZZED_INPUTS} inputs with seed ${seed}\n`);
}

/** Undefined, but for one of this many draws. */
export const oneIn = <Value>(
  draws: number,
  arbitrary: fc.Arbitrary<Value>,
): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: draws - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
