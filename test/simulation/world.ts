import type { Subscription } from '../../functions/core/subscription.ts';
import { subscription, TEN_O_CLOCK_MS } from '../support/builders.ts';
import { deliverWorker } from './deliver-worker.ts';
import { Dice } from './dice.ts';
import { EventSourceMapping } from './event-source-mapping.ts';
import { Faults } from './faults.ts';
import { FifoQueue } from './fifo-queue.ts';
import { HistoryTable } from './history-table.ts';
import type { Surroundings } from './invocation.ts';
import { matchWorker } from './match-worker.ts';
import { type Admitted, publish } from './publications.ts';
import { Receivers } from './receivers.ts';
import { SubscriptionTable } from './subscription-table.ts';
import { VirtualClock } from './virtual-clock.ts';
import type { WorldPlan } from './world-plan.ts';

/** Long after everything has healed and every visibility has ended. */
const PATIENCE_MS = 3 * 3_600_000;
const MAX_RECEIVE_COUNT = 100;
/** What a run leaves behind for the checks. */
export interface World {
  readonly plan: WorldPlan;
  readonly subscriptions: readonly Subscription[];
  /** In the order of admission. */
  readonly admitted: readonly Admitted[];
  readonly queues: Readonly<
    Record<'events' | 'deliveries' | 'eventsDeadLetters' | 'deliveriesDeadLetters', FifoQueue>
  >;
  readonly history: HistoryTable;
  readonly receivers: Receivers;
  readonly mappings: readonly EventSourceMapping[];
  /** Whether everything came to rest. */
  readonly cameToRest: boolean;
}

/** Runs a world until nothing happens any more. */
export async function runWorld(plan: WorldPlan, write?: (line: string) => void): Promise<World> {
  const clock = new VirtualClock(TEN_O_CLOCK_MS);
  const dice = new Dice(plan.dice);
  const sinceStartMs = () => clock.now() - TEN_O_CLOCK_MS;
  const around: Surroundings = {
    clock,
    dice,
    faults: new Faults(plan.faults, dice, sinceStartMs),
    workersTime: () => clock.now() - plan.clockBehindMs,
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

  const planned = plan.subscriptions.map((planned, index) => ({
    ...planned,
    subscription: subscription({
      subscription_id: `sub_${index}`,
      callback_url: `https://sub_${index}.example/webhooks`,
      event_types: [...planned.eventTypes],
      timeout_ms: planned.timeoutMs,
    }),
  }));
  const receivers = new Receivers(
    new Map(planned.map(({ subscription: { subscription_id }, receiver }) => [subscription_id, receiver])),
    TEN_O_CLOCK_MS,
  );
  const history = new HistoryTable(() => clock.now());
  const subscriptions = new SubscriptionTable(
    planned.map((one) => ({ ...one, secretlessUntilMs: TEN_O_CLOCK_MS + one.secretlessUntilMs })),
    () => clock.now(),
  );
  const surface = { deliveries, eventsDeadLetters, subscriptions, history, receivers };

  const mappings = [
    new EventSourceMapping(
      {
        name: 'match',
        queue: events,
        maxConcurrency: plan.workers.match,
        timeoutMs: 30_000,
        worker: (records, invocation) => matchWorker(records, invocation, surface),
      },
      around,
    ),
    new EventSourceMapping(
      {
        name: 'deliver',
        queue: deliveries,
        maxConcurrency: plan.workers.deliver,
        timeoutMs: 60_000,
        worker: (records, invocation) => deliverWorker(records, invocation, surface),
      },
      around,
    ),
  ];

  const admitted = publish(plan.publications, events, around);
  const cameToRest = await clock.run(TEN_O_CLOCK_MS + PATIENCE_MS);
  return {
    plan,
    subscriptions: planned.map((one) => one.subscription),
    admitted,
    queues: { events, deliveries, eventsDeadLetters, deliveriesDeadLetters },
    history,
    receivers,
    mappings,
    cameToRest,
  };
}
