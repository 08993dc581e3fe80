import { DELIVERY_POLICY } from '../../functions/core/attempt/delivery-policy.ts';
import { NO_FAULTS } from './faults.ts';
import { type Behaviour, QUICK } from './people/behaviour.ts';
import { type PublicationPlan, plainEvent } from './plans/publication-plan.ts';
import { plainSubscription } from './plans/subscription-plan.ts';
import type { WorldPlan } from './plans/world-plan.ts';
import { brokenPromises } from './promises/all-promises.ts';
import { runWorld, type World } from './world.ts';

const MINUTE_MS = 60_000;
const PATIENCE_MS = 120_000;
/** Ten events a second, each of a new payment, for three subscriptions. */
const EVENTS = 1_500;
const EVERY_MS = 100;

function crowd(receivers: readonly Behaviour[]): WorldPlan {
  const publications: PublicationPlan[] = Array.from({ length: EVENTS }, (_, index) => ({
    ...plainEvent(index % 1_000),
    pauseMs: EVERY_MS,
  }));
  return {
    dice: 1,
    policy: 'real',
    subscriptions: receivers.map(plainSubscription),
    publications,
    strays: [],
    requests: { pings: [], resends: [], recoveries: [] },
    faults: NO_FAULTS,
    lagMs: 500,
    clockBehindMs: 0,
    clocksDifferMs: 0,
    // Until its circuit opens, ten a second for twelve seconds hang for ten seconds each: enough workers for
    // the others too.
    workers: { match: 17, deliver: 60, wake: 10 },
  };
}

function attemptsOf({ receivers }: World, subscription: string, untilMs: number) {
  return receivers.log.filter(
    ({ subscriptionId, startedAtMs }) => subscriptionId === subscription && startedAtMs < untilMs,
  );
}

test(
  'a dead endpoint costs a constant number of attempts, however many messages wait for it, and delays nobody else',
  async () => {
    const deadUntilMs = 20 * MINUTE_MS;
    const dead: Behaviour = {
      ...QUICK,
      troubles: [{ kind: 'hangs', share: 1, fromMs: 0, untilMs: deadUntilMs }],
    };
    const world = await runWorld(crowd([dead, QUICK, QUICK]));
    expect(brokenPromises(world)).toEqual([]);
    expect(world.tables.keys.maxQueuedMessages).toBeGreaterThan(1_400);
    // Ten a second until the twentieth times out after ten seconds; then rounds of five probes, ever rarer.
    const { length } = attemptsOf(world, 'sub_0', world.startedAtMs + deadUntilMs);
    expect(length).toBeLessThan(300);
    for (const { maxRecords } of Object.values(world.queues)) {
      expect(maxRecords).toBeLessThan(1_000);
    }
    const quick = world.receivers.log.filter(({ subscriptionId }) => subscriptionId === 'sub_1');
    expect(quick.length).toBeGreaterThanOrEqual(EVENTS);
    // Recovered, and drained within two minutes of the first successful probe.
    const last = Math.max(...world.receivers.log.map(({ startedAtMs }) => startedAtMs));
    const { longestCoolDownMs } = DELIVERY_POLICY.circuit;
    expect(last - world.startedAtMs - deadUntilMs).toBeLessThan(longestCoolDownMs + 3 * MINUTE_MS);
  },
  PATIENCE_MS,
);
