import * as fc from 'fast-check';
import { chunks } from '../../functions/adapters/dynamodb/chunks.ts';
import { isOpenByHand } from '../../functions/core/circuit/operator-signals.ts';
import { operatedWorldPlan } from './people/operated-world.ts';
import { brokenPromises } from './promises/all-promises.ts';
import { runWorld } from './world.ts';

/** More with `npm run test:full`. */
const WORLDS = process.env.SIMULATED_WORLDS === undefined ? 12 : 96;
const SEED = 1;
/** Worlds that share each turn of the event loop: a turn costs more than most of what happens in it. */
const AT_ONCE = 16;
const PATIENCE_MS = 240_000;

test(
  'operators who open, close and drain circuits at any moment break no promise',
  async () => {
    const counts = { openedByHand: 0, closedByHand: 0, drainedByHand: 0, attempts: 0 };
    for (const plans of chunks(fc.sample(operatedWorldPlan, { seed: SEED, numRuns: WORLDS }), AT_ONCE)) {
      const worlds = await Promise.all(plans.map((plan) => runWorld(plan)));
      for (const world of worlds) {
        expect({ broken: brokenPromises(world), plan: world.plan }).toEqual({ broken: [], plan: world.plan });
        counts.attempts += world.receivers.log.length;
        for (const { by, before, after } of world.tables.subscriptions.writes) {
          const isByHand = by.startsWith('api') && before.state === 'active' && after.state === 'active';
          counts.openedByHand += isByHand && isOpenByHand(after) ? 1 : 0;
          counts.closedByHand += isByHand && after.circuit.state === 'closed' ? 1 : 0;
          counts.drainedByHand += isByHand && after.circuit.state === 'draining' ? 1 : 0;
        }
      }
    }
    expect(counts.openedByHand).toBeGreaterThan(WORLDS);
    expect(counts.closedByHand).toBeGreaterThan(WORLDS / 20);
    expect(counts.drainedByHand).toBeGreaterThan(WORLDS / 3);
    expect(counts.attempts).toBeGreaterThan(10 * WORLDS);
  },
  PATIENCE_MS,
);
