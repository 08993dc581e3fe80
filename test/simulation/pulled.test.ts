import { reportOn } from './report.ts';

/** More with `npm run test:full`. */
const WORLDS = process.env.SIMULATED_WORLDS === undefined ? 12 : 120;
const PATIENCE_MS = 120_000;

test(
  'a partner who fetches messages gets each, payment by payment in order, with every attempt on record',
  async () => {
    const { failure } = await reportOn('.', 1, WORLDS, 'pulled');
    expect(failure).toBeUndefined();
  },
  PATIENCE_MS,
);
