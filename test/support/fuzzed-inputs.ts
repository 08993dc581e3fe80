import fc from 'fast-check';

/** Inputs of each fuzzed reader: ten thousand with every change, FUZZED_INPUTS at night. */
export const FUZZED_INPUTS = Number(process.env.FUZZED_INPUTS ?? 10_000);

/** For one test, in ms: some input may take a millisecond. */
export const FUZZING_MS = 30_000 + FUZZED_INPUTS;

/** Undefined, but for one of so many draws. */
export const oneIn = <Value>(
  draws: number,
  arbitrary: fc.Arbitrary<Value>,
): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: draws - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
