import { NO_FAULTS } from './faults.ts';
import { type Behaviour, QUICK } from './people/behaviour.ts';
import { plainEvent } from './plans/publication-plan.ts';
import { plainSubscription } from './plans/subscription-plan.ts';
import type { WorldPlan } from './plans/world-plan.ts';
import { brokenPromises } from './promises/all-promises.ts';
import { runWorld } from './world.ts';

const PATIENCE_MS = 60_000;
/** Forty events a second, each of a new payment, for three subscriptions whose endpoints take two seconds. */
const EVENTS = 240;
/** Those at the end of each world. */
const LAST = 4;
const EVERY_MS = 25;
const SLOW: Behaviour = { ...QUICK, latencyMs: [1_800, 2_200] };
/** Lambda's default for an environment of one vCPU. */
const SIDE_BY_SIDE = 64;

const PLAN: WorldPlan = {
  dice: 1,
  policy: 'real',
  subscriptions: [SLOW, SLOW, SLOW].map(plainSubscription),
  publications: Array.from({ length: EVENTS }, (_, index) => ({ ...plainEvent(index), pauseMs: EVERY_MS })),
  strays: [],
  requests: { pings: [], resends: [], recoveries: [] },
  faults: NO_FAULTS,
  lagMs: 20,
  clockBehindMs: 0,
  clocksDifferMs: 400,
  workers: { match: 17, deliver: SIDE_BY_SIDE, wake: 10 },
  sideBySide: SIDE_BY_SIDE,
};

test(
  'invocations that share an environment keep every promise',
  async () => {
    const world = await runWorld(PLAN);
    expect(brokenPromises(world)).toEqual([]);
    const [max] = world.environments.map(({ maxInside }) => maxInside).toSorted((one, other) => other - one);
    expect(max).toBeGreaterThan(20);
    expect(world.receivers.log).toHaveLength(3 * (EVENTS + LAST));
  },
  PATIENCE_MS,
);

test(
  'when an environment dies, only what was under way in it is attempted again: nothing is lost or overtaken',
  async () => {
    let diedWith = 0;
    const world = await runWorld(PLAN, undefined, {
      also({ mappings, around: { clock } }) {
        const deliver = mappings.find(({ name }) => name === 'deliver')!;
        clock.at(clock.now() + 2_000, () => {
          const [environment] = deliver.environments;
          environment!.struck('crash', clock.now());
          environment!.die();
          diedWith = environment!.diedWith ?? 0;
        });
      },
    });
    expect(diedWith).toBeGreaterThan(20);
    const dead = world.invocations.filter(({ ending }) => ending === 'crashed');
    expect(dead).toHaveLength(diedWith);
    expect(new Set(dead.map(({ endedAtMs }) => endedAtMs)).size).toBe(1);
    expect(brokenPromises(world)).toEqual([]);
    const attemptedTwice = world.receivers.log.length - 3 * (EVENTS + LAST);
    const inHand = dead.reduce((sum, { records }) => sum + records.length, 0);
    expect(attemptedTwice).toBeGreaterThan(0);
    expect(attemptedTwice).toBeLessThanOrEqual(inHand);
  },
  PATIENCE_MS,
);
