import type { DeliveryPolicy } from '../../functions/core/attempt/delivery-policy.ts';
import type { Subscription } from '../../functions/core/subscription/subscription.ts';
import { TEN_O_CLOCK_MS } from '../support/builders.ts';
import type { FifoQueue } from './aws/queues/fifo-queue.ts';
import type { StandardQueue } from './aws/queues/standard-queue.ts';
import type { HistoryTable } from './aws/tables/history-table.ts';
import type { OrderingKeysTable } from './aws/tables/ordering-keys-table.ts';
import type { RecoveryTable } from './aws/tables/recovery-table.ts';
import type { SequenceTable } from './aws/tables/sequence-table.ts';
import type { SubscriptionTable } from './aws/tables/subscription-table.ts';
import type { Asked, Hurried, Pinged } from './people/asked.ts';
import { isTroubledForEver } from './people/healing.ts';
import { type Admitted, farewell, lastOf, publish, timesOf } from './people/publications.ts';
import type { Receivers } from './people/receivers.ts';
import { blocksOf } from './plans/inputs-plan.ts';
import { policyNamed } from './plans/policy-plan.ts';
import { type Prepared, prepare } from './plans/prepare.ts';
import { crowdOf } from './plans/publication-plan.ts';
import type { SubscriptionPlan } from './plans/subscription-plan.ts';
import { type WorldPlan, wellFromMs } from './plans/world-plan.ts';
import type { Environment } from './workers/environment.ts';
import type { Invocation } from './workers/invocation.ts';

const MINUTE_MS = 60_000;
/** Ten times what any world takes: a world that takes more never ends. */
const MAX_STEPS = 3_000_000;

/** What a run leaves behind for the checks. */
export interface World {
  readonly plan: WorldPlan;
  readonly policy: DeliveryPolicy;
  readonly startedAtMs: number;
  /** As they are at the end. */
  readonly subscriptions: readonly Subscription[];
  /** In the order of intake. */
  readonly admitted: readonly Admitted[];
  readonly queues: Readonly<
    Record<'events' | 'deliveries' | 'eventsDeadLetters' | 'deliveriesDeadLetters', FifoQueue>
  >;
  readonly timers: StandardQueue;
  readonly tables: {
    readonly keys: OrderingKeysTable;
    readonly subscriptions: SubscriptionTable;
    readonly sequences: SequenceTable;
  };
  readonly history: HistoryTable;
  readonly receivers: Receivers;
  readonly recoveries: RecoveryTable;
  /** Requests to send a message again, in order. */
  readonly asked: readonly Asked[];
  /** Requests to try a message again at once, in order. */
  readonly hurried: readonly Hurried[];
  readonly pinged: readonly Pinged[];
  readonly invocations: readonly Invocation[];
  /** Environments that several invocations shared. */
  readonly environments: readonly Environment[];
  /** What people did through the API, or by hand. */
  readonly people: readonly Invocation[];
  /** Whether everything came to rest. */
  readonly cameToRest: boolean;
  readonly endedAtMs: number;
}

interface Special {
  /** After this many receives, a record becomes a dead letter. */
  readonly maxReceiveCount?: number;
  /** Sets up what else happens in the world. */
  readonly also?: (prepared: Prepared) => void;
}

/** Runs a world until nothing happens any more. */
export async function runWorld(
  plan: WorldPlan,
  write?: (text: string) => void,
  { maxReceiveCount, also }: Special = {},
): Promise<World> {
  const prepared = prepare(plan, write, maxReceiveCount);
  const { around, surface, events, deliveriesDeadLetters, mappings, sweeper } = prepared;
  also?.(prepared);
  const { clock } = around;
  const { deliveries, eventsDeadLetters, timers, history, receivers, recoveries } = surface;
  const { keys, subscriptions, sequences } = surface;
  const policy = policyNamed(plan.policy);

  const times = [
    ...timesOf(plan.publications, TEN_O_CLOCK_MS),
    ...crowdOf(plan.crowd).map((publication, index) => ({
      publication,
      atMs: TEN_O_CLOCK_MS + plan.crowd!.atMs + index * plan.crowd!.everyMs,
    })),
    ...blocksOf(plan.inputs).map(({ publication, atMs }) => ({ publication, atMs: TEN_O_CLOCK_MS + atMs })),
  ];
  const wellAtMs = TEN_O_CLOCK_MS + wellFromMs(plan);
  const lastAtMs = Math.max(wellAtMs, ...times.map(lastOf)) + MINUTE_MS;
  const admitted = publish(
    [...times, ...farewell(lastAtMs, plan.services)],
    events,
    around,
    TEN_O_CLOCK_MS,
    plan,
  );

  let steps = 0;
  const isEndless = () => {
    steps += 1;
    return steps > MAX_STEPS;
  };
  const isBusy = () => mappings.some((mapping) => mapping.isBusy) || sweeper.isBusy;
  const rests = () =>
    deliveries.isEmpty &&
    events.isEmpty &&
    keys.keys.size === 0 &&
    sequences.all.every(({ early }) => early.length === 0) &&
    !isBusy() &&
    recoveries.all.every(({ state }) => state !== 'running') &&
    subscriptions.all.every((one, index) => isAtRest(one, plan.subscriptions[index]!));
  const longestDelayMs = Math.max(...policy.schedules.standard, ...policy.schedules.govuk);
  // A drain signals the payments it sees: one window of them each time that the index has caught up.
  const longestDrainMs = plan.lagMs * Math.ceil(times.length / policy.circuit.firstWindow);
  const cameToRest = await clock.run(
    lastAtMs + policy.totalAgeMs + 3 * longestDelayMs + 60 * MINUTE_MS + longestDrainMs,
    () => isEndless() || (clock.now() > lastAtMs + MINUTE_MS && rests()),
  );
  // Whatever is still under way must have no effect.
  await clock.run(clock.now() + 5 * MINUTE_MS, isEndless);
  if (isBusy()) {
    await clock.run(clock.now() + MINUTE_MS, () => !isBusy());
  }
  return {
    plan,
    policy,
    startedAtMs: TEN_O_CLOCK_MS,
    subscriptions: subscriptions.all,
    admitted,
    queues: { events, deliveries, eventsDeadLetters, deliveriesDeadLetters },
    timers,
    tables: { keys, subscriptions, sequences },
    history,
    receivers,
    recoveries,
    asked: around.asked,
    hurried: around.hurried,
    pinged: around.pinged,
    invocations: [...mappings.flatMap(({ invocations }) => invocations), ...sweeper.invocations],
    environments: mappings.flatMap(({ environments }) => environments),
    people: around.invocations.filter(({ name }) => name === 'api' || name === 'operator'),
    cameToRest: cameToRest && rests(),
    endedAtMs: clock.now(),
  };
}

/**
 * Whether its circuit changes no more by itself. A circuit that is never probed, or that has a rate limit,
 * keeps its timer for ever.
 */
function isAtRest({ state, circuit, rate_limit }: Subscription, plan: SubscriptionPlan): boolean {
  const isHalted = state === 'unproven' || state === 'paused' || state === 'disabled';
  return (
    isHalted ||
    circuit === undefined ||
    (isTroubledForEver(plan) && circuit.state !== 'draining') ||
    (circuit.state === 'closed' && (circuit.timer_at === undefined || rate_limit !== undefined))
  );
}
