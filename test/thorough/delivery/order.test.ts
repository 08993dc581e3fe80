import { CHECKERS } from '../../support/order/checkers.ts';
import { traffic } from '../../support/order/traffic.ts';
import { type Trial, trialOf } from '../../support/order/trial.ts';

/** There are 350 MB to write, and to read for each language. */
jest.setTimeout(600_000);

const NO_ERRORS = { count: 0, first: [] };

let trial: Trial<'promised' | 'withHoles'>;
beforeAll(async () => {
  trial = await trialOf({
    promised: traffic({ seed: 3, payments: 100_000 }),
    withHoles: traffic({ seed: 4, payments: 20_000, hasHoles: true }),
  });
});
afterAll(() => trial?.end());

test('a hundred thousand payments that arrive as promised have no gap', () => {
  expect(trial.parts.promised.verdicts.includes('gap')).toBe(false);
});

for (const checker of CHECKERS) {
  (checker.isThere ? test : test.skip)(
    `the order of each is checked in ${checker.language}: no false alarm, and every gap of others`,
    async () => {
      expect(await trial.errorsOf(checker)).toEqual({ promised: NO_ERRORS, withHoles: NO_ERRORS });
    },
  );
}
