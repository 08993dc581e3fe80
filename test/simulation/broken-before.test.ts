import { simulate } from './simulate.ts';

const PATIENCE_MS = 60_000;

/** Worlds that broke a promise once, and are not among those of `pipeline.test.ts`. */
test.each([
  [20_599, 'an owner pauses while a first message is parked for its rate limit, and the timer is lost'],
  [21_486, 'endpoints are slow throughout a batch whose reading of the circuit has become old'],
  [21_911, 'what a probe is to send has expired'],
])(
  'in the world of seed %i every promise is kept: %s',
  async (seed) => {
    expect(await simulate(seed, () => {}, 0)).toBeUndefined();
  },
  PATIENCE_MS,
);
