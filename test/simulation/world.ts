import type { DeliveryPolicy } from '../../functions/core/delivery-policy.ts';
import type { Subscription } from '../../functions/core/subscription.ts';
import { subscription, TEN_O_CLOCK_MS } from '../support/builders.ts';
import { deliverWorker } from './deliver-worker.ts';
import { Dice } from './dice.ts';
import { EventSourceMapping } from './event-source-mapping.ts';
import { Faults } from './faults.ts';
import { FifoQueue } from './fifo-queue.ts';
import { HistoryTable } from './history-table.ts';
import type { Invocation, Surroundings } from './invocation.ts';
import { KeysTable } from './keys-table.ts';
import { matchWorker } from './match-worker.ts';
import { letHintsStray, letOwnersAct, Operator } from './people.ts';
import { policyNamed } from './policy-plan.ts';
import { type Admitted, farewell, publish, timesOf } from './publications.ts';
import { Receivers } from './receivers.ts';
import { StandardQueue } from './standard-queue.ts';
import { SubscriptionTable } from './subscription-table.ts';
import type { Surface } from './surface.ts';
import { Sweeper } from './sweeper.ts';
import { VirtualClock } from './virtual-clock.ts';
import { wakeWorker } from './wake-worker.ts';
import { mendedFromMs, type WorldPlan, wellFromMs } from './world-plan.ts';

const MINUTE_MS = 60_000;
const MAX_RECEIVE_COUNT = 100;

/** Ten times what any world takes: one that takes more never ends. */
const MOST_STEPS = 3_000_000;

/** What a run leaves behind for the checks. */
export interface World {
  readonly plan: WorldPlan;
  readonly policy: DeliveryPolicy;
  readonly startedAtMs: number;
  /** As they are at the end. */
  readonly subscriptions: readonly Subscription[];
  /** In the order of admission. */
  readonly admitted: readonly Admitted[];
  readonly queues: Readonly<
    Record<'events' | 'deliveries' | 'eventsDeadLetters' | 'deliveriesDeadLetters', FifoQueue>
  >;
  readonly timers: StandardQueue;
  readonly tables: { readonly keys: KeysTable; readonly subscriptions: SubscriptionTable };
  readonly history: HistoryTable;
  readonly receivers: Receivers;
  readonly invocations: readonly Invocation[];
  /** Whether everything came to rest. */
  readonly cameToRest: boolean;
  readonly endedAtMs: number;
}

/** Runs a world until nothing happens any more. */
export async function runWorld(plan: WorldPlan, write?: (line: string) => void): Promise<World> {
  const clock = new VirtualClock(TEN_O_CLOCK_MS);
  const dice = new Dice(plan.dice);
  const policy = policyNamed(plan.policy);
  const now = () => clock.now();
  const sinceStartMs = () => clock.now() - TEN_O_CLOCK_MS;
  let ids = 0;
  const around: Surroundings = {
    clock,
    dice,
    faults: new Faults(plan.faults, dice, sinceStartMs),
    behindMs: () => plan.clockBehindMs + dice.whole(0, plan.clocksDifferMs),
    newId: () => `id-${++ids}`,
    tell: (line) => write?.(`${(sinceStartMs() / 1_000).toFixed(3).padStart(9)} s  ${line()}`),
  };

  const queue = (name: string, visibilityMs: number, deadLetters?: FifoQueue) =>
    new FifoQueue(clock, {
      name,
      visibilityMs,
      ...(deadLetters === undefined ? {} : { deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT }),
    });
  const eventsDeadLetters = queue('dead event', 30_000);
  const deliveriesDeadLetters = queue('dead message', 30_000);
  const events = queue('event', 60_000, eventsDeadLetters);
  const deliveries = queue('message', 90_000, deliveriesDeadLetters);
  const timers = new StandardQueue(clock, { name: 'timer', visibilityMs: 40_000, maxReceiveCount: 10, dice });

  const planned = plan.subscriptions.map((planned, index) => ({
    ...planned,
    subscription: subscription({
      subscription_id: `sub_${index}`,
      callback_url: `https://sub_${index}.example/webhooks`,
      event_types: [...planned.eventTypes],
      timeout_ms: planned.timeoutMs,
      schedule: planned.schedule,
    }),
  }));
  const receivers = new Receivers(
    new Map(planned.map(({ subscription: { subscription_id }, receiver }) => [subscription_id, receiver])),
    TEN_O_CLOCK_MS,
  );
  const wellAtMs = TEN_O_CLOCK_MS + wellFromMs(plan);
  const sweeper = new Sweeper(around, plan.clockBehindMs);
  const operator = new Operator(around, TEN_O_CLOCK_MS + mendedFromMs(plan));
  const history = new HistoryTable(now);
  const index = {
    now,
    // Most changes are to be seen at once.
    lagMs: () => dice.whole(0, dice.chance(0.8) ? 20 : plan.lagMs),
    whenDue: (checkAt: string, visibleAtMs: number) => sweeper.expect(checkAt, visibleAtMs),
  };
  const surface: Surface = {
    deliveries,
    timers,
    eventsDeadLetters,
    subscriptions: new SubscriptionTable(
      planned.map((one) => ({ ...one, secretlessUntilMs: TEN_O_CLOCK_MS + one.secretlessUntilMs })),
      { ...index, graceMs: policy.graceMs },
    ),
    keys: new KeysTable({ ...index, history, whenFaulted: (name) => operator.hear(name) }),
    history,
    receivers,
    policy,
  };
  sweeper.start(surface);
  operator.start(surface);

  const mapping = (
    name: 'match' | 'deliver' | 'wake',
    source: FifoQueue | StandardQueue,
    timeoutMs: number,
    worker: typeof matchWorker,
  ) =>
    new EventSourceMapping(
      {
        name,
        queue: source,
        maxConcurrency: plan.workers[name],
        timeoutMs,
        worker: (records, invocation) => worker(records, invocation, surface),
      },
      around,
    );
  const mappings = [
    mapping('match', events, 30_000, matchWorker),
    mapping('deliver', deliveries, 60_000, deliverWorker),
    mapping('wake', timers, 20_000, wakeWorker),
  ];

  letOwnersAct(plan, TEN_O_CLOCK_MS, around, surface);
  letHintsStray(plan, TEN_O_CLOCK_MS, around, surface);
  const times = timesOf(plan.publications, TEN_O_CLOCK_MS);
  const lastAtMs = Math.max(wellAtMs, ...times.map(({ atMs }) => atMs)) + MINUTE_MS;
  const admitted = publish([...times, ...farewell(lastAtMs)], events, around);

  let steps = 0;
  const isEndless = () => {
    steps += 1;
    return steps > MOST_STEPS;
  };
  const rests = () =>
    deliveries.isEmpty &&
    events.isEmpty &&
    surface.keys.keys.size === 0 &&
    !mappings.some(({ isBusy }) => isBusy) &&
    surface.subscriptions.all.every(isAtRest);
  const longestMs = policy.totalAgeMs + 3 * Math.max(...policy.schedules.standard, ...policy.schedules.govuk);
  const cameToRest = await clock.run(
    lastAtMs + longestMs + 60 * MINUTE_MS,
    () => isEndless() || (clock.now() > lastAtMs + MINUTE_MS && rests()),
  );
  // What is still under way by then has to mean nothing.
  await clock.run(clock.now() + 5 * MINUTE_MS, isEndless);
  await clock.run(clock.now() + MINUTE_MS, () => !mappings.some(({ isBusy }) => isBusy) && !sweeper.isBusy);
  return {
    plan,
    policy,
    startedAtMs: TEN_O_CLOCK_MS,
    subscriptions: surface.subscriptions.all,
    admitted,
    queues: { events, deliveries, eventsDeadLetters, deliveriesDeadLetters },
    timers,
    tables: { keys: surface.keys, subscriptions: surface.subscriptions },
    history,
    receivers,
    invocations: [...mappings.flatMap(({ invocations }) => invocations), ...sweeper.invocations],
    cameToRest: cameToRest && rests(),
    endedAtMs: clock.now(),
  };
}

/** Whether nothing more happens to its circuit of itself; one that nobody probes is looked at now and then for ever. */
function isAtRest({ state, circuit }: Subscription): boolean {
  const isHalted = state === 'paused' || state === 'disabled';
  return isHalted || circuit === undefined || (circuit.state === 'closed' && circuit.tick_at === undefined);
}
