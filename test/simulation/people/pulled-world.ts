import * as fc from 'fast-check';
import { isFinal } from '../../../functions/core/message/outcome.ts';
import { plainSubscription, type SubscriptionPlan } from '../plans/subscription-plan.ts';
import { type WorldPlan, wellFromMs, worldPlan } from '../plans/world-plan.ts';
import { runWorld, type World } from '../world.ts';
import { QUICK } from './behaviour.ts';
import { type HandedOut, letPull } from './puller.ts';

const MINUTE_MS = 60_000;
/** The one that is pulled. */
const PULLED = 'sub_0';

/** A world with a partner who fetches messages, beside one to whom they are sent. */
export interface Pulled {
  readonly world: World;
  readonly handed: readonly HandedOut[];
  readonly broken: readonly string[];
}

/** The world of a seed: all failures of ours, and a puller with habits. */
export async function pulledWorld(seed: number, write?: (text: string) => void): Promise<Pulled> {
  const plan = planOf(seed);
  let handed: readonly HandedOut[] = [];
  const world = await runWorld(plan, write, {
    also({ around, surface }) {
      const startedAtMs = around.clock.now();
      const wellAtMs = startedAtMs + wellFromMs(plan);
      const paused = plan.publications.reduce((sum, { pauseMs }) => sum + pauseMs, 0);
      const lastAtMs = Math.max(wellAtMs, startedAtMs + paused) + 5 * MINUTE_MS;
      handed = letPull(PULLED, { wellAtMs, lastAtMs }, around, surface);
    },
  });
  return { world, handed, broken: brokenFor(world, handed) };
}

function planOf(seed: number): WorldPlan {
  const [drawn] = fc.sample(worldPlan, { seed, numRuns: 1 });
  const plan = drawn!;
  const [first, ...others] = plan.subscriptions;
  const pulled: SubscriptionPlan = {
    ...plainSubscription(QUICK),
    schedule: first!.schedule,
    partnerActs: first!.partnerActs,
    isPulled: true,
  };
  return {
    ...plan,
    policy: 'short',
    subscriptions: [pulled, ...others],
    // Orders of two doors, and of numbers, are judged elsewhere.
    publications: plan.publications.map(
      ({ sequence: _, direct: __, service: ___, ...publication }) => publication,
    ),
    quiet: undefined,
    crowd: undefined,
    inputs: undefined,
    catalogue: undefined,
    services: undefined,
    faults: { ...plan.faults, unreadable: 0 },
  };
}

/** What is broken of the promises to a partner who fetches messages, as the puller saw it. */
function brokenFor(world: World, handed: readonly HandedOut[]): string[] {
  const { history, admitted, cameToRest, receivers } = world;
  const recordOf = (eventId: string) =>
    [...history.records.values()].find(
      ({ event_id, subscription_id }) => event_id === eventId && subscription_id === PULLED,
    );
  const order = new Map(admitted.map(({ eventId }, index) => [eventId, index]));
  const records = admitted.flatMap(({ eventId }) => recordOf(eventId) ?? []);
  const isOver = (messageId: string, atMs: number) =>
    history.writesOf(messageId).some((one) => one.record && isFinal(one.record) && one.atMs <= atMs);
  const isThere = world.subscriptions[0]!.state !== 'deleted';
  const broken = [
    ...(cameToRest ? [] : ['nothing is lost: the world never comes to rest']),
    ...admitted
      .filter(({ publicType, eventId }) => publicType !== undefined && (isThere || recordOf(eventId)))
      .filter(({ eventId }) => !isFinal(recordOf(eventId) ?? { state: 'parked' }))
      .map(({ eventId }) => `nothing is lost: ${eventId} is ${recordOf(eventId)?.state ?? 'nowhere'}`),
    ...receivers.log
      .filter(({ subscriptionId }) => subscriptionId === PULLED)
      .map(({ eventId }) => `only its partner sends: ${eventId} was posted`),
  ];
  const seen = new Set<string>();
  for (const { message_id, attempt, key, atMs, habit, heard, leased_until } of handed) {
    const record = history.records.get(message_id);
    const name = `${record?.event_id}, attempt ${attempt}`;
    const made = history.attemptsOf(message_id).filter((one) => one.attempt === attempt);
    if (seen.has(`${message_id} ${attempt}`)) {
      broken.push(`one at a time: ${name} was handed out twice`);
    }
    seen.add(`${message_id} ${attempt}`);
    if (made.length !== 1) {
      broken.push(`on record: ${name} was handed out, and is on record ${made.length} times`);
    }
    const isTaken = heard.some(({ state }) => state === 'recorded');
    const isFailure = made[0]?.failure_class !== undefined;
    if (habit === 'forgets' && made[0]?.failure_class !== 'timeout') {
      broken.push(`a lease that ends is a failure: ${name} is not on record as one`);
    }
    if (isTaken && habit !== 'forgets' && isFailure !== (habit === 'fails')) {
      broken.push(`the first result counts: ${name} ${habit}, and is on record as ${made[0]?.failure_class}`);
    }
    if (isTaken && habit === 'delivers' && record?.state !== 'succeeded' && !record?.late) {
      broken.push(`at least once: ${name} was delivered, and is ${record?.state}`);
    }
    const before = history.writesOf(message_id).filter((one) => one.atMs <= atMs);
    if (attempt > 1 && !before.some((one) => (one.record?.attempt_count ?? 0) >= attempt - 1)) {
      broken.push(`one at a time: ${name} was handed out before the last one was over`);
    }
    const isSlow = Date.parse(leased_until) <= atMs;
    for (const earlier of records) {
      const isBefore = order.get(earlier.event_id)! < order.get(record!.event_id)!;
      const isOfKey = `${PULLED}.${earlier.payment_id}` === key;
      const isExcused = earlier.late || record!.late || isSlow;
      if (isBefore && isOfKey && !isExcused && !isOver(earlier.message_id, atMs)) {
        broken.push(`order per payment: ${name} was handed out before ${earlier.event_id} was over`);
      }
    }
  }
  return broken;
}
