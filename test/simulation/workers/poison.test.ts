import { NO_FAULTS } from '../faults.ts';
import { QUICK } from '../people/behaviour.ts';
import { plainEvent } from '../plans/publication-plan.ts';
import { plainSubscription } from '../plans/subscription-plan.ts';
import type { WorldPlan } from '../plans/world-plan.ts';
import { runWorld, type World } from '../world.ts';
import { TIMEOUT_MS, VISIBILITY_MS } from './function-limits.ts';

const EVENTS = 120;
const SUBSCRIPTIONS = 3;
const HOUR_MS = 3_600_000;
/** Of its queue, its worker and the way there. */
const SECONDS_MS = 30_000;

/** Events of many payments, all at about the same time, so that batches are full. */
const plan = (dice: number): WorldPlan => ({
  dice,
  policy: 'real',
  subscriptions: Array.from({ length: SUBSCRIPTIONS }, () => plainSubscription(QUICK)),
  publications: Array.from({ length: EVENTS }, (_, index) => ({ ...plainEvent(index), pauseMs: 5 })),
  strays: [],
  requests: { pings: [], resends: [], recoveries: [] },
  faults: { ...NO_FAULTS, untilMs: 3 * HOUR_MS, poison: 0.02 },
  lagMs: 20,
  clockBehindMs: 0,
  clocksDifferMs: 400,
  workers: { match: 2, deliver: 5, wake: 2 },
});

/** As docs/architecture.md states it: two deaths in company, and some of each alone. */
const boundMs = (worker: 'match' | 'deliver', killers: number) =>
  2 * VISIBILITY_MS[worker] + killers * (worker === 'deliver' ? 4 : 3) * 1.5 * TIMEOUT_MS[worker];

/** The records of a queue that ended a worker, each with how often it was received. */
function killersOf(worker: string, { invocations }: World): Map<string, number> {
  const deaths = invocations.filter(({ name }) => name.startsWith(worker));
  const met = deaths.flatMap((invocation) => invocation.met.filter(({ fault }) => fault === 'poison'));
  return new Map(
    [...Map.groupBy(met, ({ name = '' }) => name)].map(([id, meetings]) => [id, meetings.length]),
  );
}

test.each([1, 2, 3])(
  'a record that ends its workers is set aside, and all others of its batches are done in time (%s)',
  async (dice) => {
    const world = await runWorld(plan(dice));
    const events = killersOf('match', world);
    const messages = killersOf('deliver', world);
    expect(Math.min(events.size, messages.size)).toBeGreaterThan(0);
    // Twice in company and three times alone; a message is first read once more, to have its key wait.
    expect(Math.max(...events.values())).toBeLessThanOrEqual(5);
    expect(Math.max(...messages.values())).toBeLessThanOrEqual(6);

    const dead = world.queues.eventsDeadLetters.records.length;
    expect(dead).toBe(events.size);
    expect(world.queues.deliveriesDeadLetters.records.length).toBeLessThanOrEqual(messages.size);
    expect(world.queues.events.isEmpty && world.queues.deliveries.isEmpty).toBe(true);

    const bound = boundMs('match', events.size) + boundMs('deliver', messages.size) + SECONDS_MS;
    const inTime = world.receivers.log.filter(({ begunAtMs }) => begunAtMs < world.startedAtMs + bound);
    const all = SUBSCRIPTIONS * (EVENTS - events.size);
    expect(new Set(inTime.map(({ messageId }) => messageId)).size).toBeGreaterThanOrEqual(
      all - messages.size,
    );
  },
  60_000,
);
