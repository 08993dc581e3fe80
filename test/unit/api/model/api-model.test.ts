import fc from 'fast-check';
import { OPERATIONS } from '../../../../functions/api/operations.ts';
import { STAGE_OPERATIONS } from '../../../../functions/api/stage/stage-operations.ts';
import { DOCUMENTED } from '../../../support/api-model/documented-answers.ts';
import { PLAYS } from '../../../support/api-model/plays/plays.ts';
import { begin, compare, sequences } from '../../../support/api-model/sequences.ts';
import { FUZZED_INPUTS, FUZZING_MS } from '../../../support/fuzzed-inputs.ts';
import { inMemory } from './in-memory.ts';

/** At most. */
const REQUESTS_PER_SEQUENCE = 50;

test('every operation is played, and no other', () => {
  const played = Object.keys(PLAYS).sort();
  expect([...OPERATIONS, ...STAGE_OPERATIONS].map(({ id }) => id).sort()).toEqual(played);
  expect(Object.keys(DOCUMENTED).sort()).toEqual(played);
});

test(
  'whatever two services and those who run their stage ask for in whatever order, each gets what the model says',
  async () => {
    await fc.assert(
      fc.asyncProperty(sequences(REQUESTS_PER_SEQUENCE), async (commands) => {
        const { model, real } = await inMemory();
        await begin(model, real);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await compare(model, real);
      }),
      { numRuns: Math.ceil(FUZZED_INPUTS / REQUESTS_PER_SEQUENCE) },
    );
  },
  FUZZING_MS,
);
