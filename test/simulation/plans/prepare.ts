import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import { catalogueOf } from '../../../functions/core/catalogue/catalogue.ts';
import { CLOSED } from '../../../functions/core/circuit/circuit.ts';
import { withTimer } from '../../../functions/core/circuit/states.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../support/builders.ts';
import { Dice } from '../../support/dice.ts';
import { EventSourceMapping } from '../aws/lambda/event-source-mapping.ts';
import { FifoQueue } from '../aws/queues/fifo-queue.ts';
import { StandardQueue } from '../aws/queues/standard-queue.ts';
import { HistoryTable } from '../aws/tables/history-table.ts';
import { OrderingKeysTable } from '../aws/tables/ordering-keys-table.ts';
import { RecoveryTable } from '../aws/tables/recovery-table.ts';
import { RollCall } from '../aws/tables/roll-call.ts';
import { SequenceTable } from '../aws/tables/sequence-table.ts';
import { SubscriptionTable } from '../aws/tables/subscription-table.ts';
import { VirtualClock } from '../clock/virtual-clock.ts';
import { Faults } from '../faults.ts';
import type { Behaviour } from '../people/behaviour.ts';
import { letEndpointsProve } from '../people/challenges.ts';
import { startsWith } from '../people/narrowing.ts';
import { letPartnersAsk } from '../people/partners.ts';
import { hostOf, letPartnersChange } from '../people/partners-acts.ts';
import { letPartnersAct, letSignalsStray, letSubscribersCome, Operator } from '../people/people.ts';
import { Receivers } from '../people/receivers.ts';
import type { Surface } from '../surface.ts';
import { deliverWorker } from '../workers/deliver-worker.ts';
import { TIMEOUT_MS, VISIBILITY_MS } from '../workers/function-limits.ts';
import type { Surroundings } from '../workers/invocation.ts';
import { matchWorker } from '../workers/match-worker.ts';
import { Sweeper } from '../workers/sweeper.ts';
import { wakeWorker } from '../workers/wake-worker.ts';
import { subscribedTo, typesOf } from './catalogue-plan.ts';
import { policyNamed } from './policy-plan.ts';
import { serviceNamed, serviceOf } from './services-plan.ts';
import { schemaChecksOf } from './validation-plan.ts';
import { mendedFromMs, type WorldPlan } from './world-plan.ts';

const MAX_RECEIVE_COUNT = 100;

/** The receivers of a world remember what they were sent. */
interface WorldSurface extends Surface {
  readonly receivers: Receivers;
}

/** A world that is ready to run. */
export interface Prepared {
  readonly around: Surroundings;
  readonly surface: WorldSurface;
  readonly events: FifoQueue;
  readonly deliveriesDeadLetters: FifoQueue;
  readonly mappings: readonly EventSourceMapping[];
  readonly sweeper: Sweeper;
}

/** Puts a world together: clock and dice, queues and tables, workers and people. */
export function prepare(
  plan: WorldPlan,
  write?: (text: string) => void,
  maxReceiveCount = MAX_RECEIVE_COUNT,
): Prepared {
  const policy = policyNamed(plan.policy);
  const around = surroundings(plan, write);
  const { clock, dice } = around;

  const queue = (name: string, visibilityMs: number, deadLetters?: FifoQueue) =>
    new FifoQueue(clock, {
      name,
      visibilityMs,
      ...(deadLetters === undefined ? {} : { deadLetters, maxReceiveCount }),
    });
  const eventsDeadLetters = queue('dead event', 30_000);
  const deliveriesDeadLetters = queue('dead message', 30_000);
  const events = queue('event', VISIBILITY_MS.match, eventsDeadLetters);
  const deliveries = queue('message', VISIBILITY_MS.deliver, deliveriesDeadLetters);
  const timers = new StandardQueue(clock, {
    name: 'timer',
    visibilityMs: VISIBILITY_MS.wake,
    maxReceiveCount: 10,
    dice,
  });

  const sweeper = new Sweeper(around, plan.clockBehindMs);
  const operator = new Operator(around, TEN_O_CLOCK_MS + mendedFromMs(plan));
  const stored = tables(plan, policy, around, sweeper, operator);
  const surface: WorldSurface = {
    catalogue: catalogueOf(typesOf(plan.catalogue)),
    schemas: schemaChecksOf(plan.validation),
    deliveries,
    timers,
    events,
    eventsDeadLetters,
    deliveriesDeadLetters,
    rollCall: new RollCall(clock),
    suspects: plan.faults.poison > 0 ? new Map() : undefined,
    policy,
    hasQueueDoor: plan.publications.some(({ direct }) => direct),
    ...stored,
    receivers: new Receivers(
      behavioursOf(plan),
      TEN_O_CLOCK_MS,
      plan.clockBehindMs + plan.clocksDifferMs,
      stored.subscriptions,
      plan.proof,
    ),
  };
  sweeper.start(surface);
  operator.start(surface);
  letSubscribersCome(around, surface);
  letEndpointsProve(plan, TEN_O_CLOCK_MS, around, surface);
  letPartnersAct(plan, TEN_O_CLOCK_MS, around, surface);
  letPartnersChange(plan, TEN_O_CLOCK_MS, around, surface);
  letPartnersAsk(plan, TEN_O_CLOCK_MS, around, surface);
  letSignalsStray(plan, TEN_O_CLOCK_MS, around, surface);

  const mapping = (
    name: 'match' | 'deliver' | 'wake',
    source: FifoQueue | StandardQueue,
    worker: typeof matchWorker,
  ) =>
    new EventSourceMapping(
      {
        name,
        queue: source,
        maxConcurrency: plan.workers[name],
        pollers:
          name === 'wake' || plan.pollers === undefined
            ? undefined
            : { minimum: plan.pollers, maximum: plan.pollers },
        sideBySide: plan.sideBySide ?? 1,
        visibilityMs: VISIBILITY_MS[name],
        timeoutMs: TIMEOUT_MS[name],
        worker: (records, invocation) => worker(records, invocation, surface),
      },
      around,
    );
  const mappings = [
    mapping('match', events, matchWorker),
    mapping('deliver', deliveries, deliverWorker),
    mapping('wake', timers, wakeWorker),
  ];
  return { around, surface, events, deliveriesDeadLetters, mappings, sweeper };
}

/** By each host that a subscription ever has. */
function behavioursOf({ subscriptions }: WorldPlan): Map<string, Behaviour> {
  return new Map(
    subscriptions.flatMap(({ receiver, changes }, index) => [
      [hostOf(index, 0), receiver] as const,
      ...changes.flatMap((change, number) =>
        change.kind === 'url' ? [[hostOf(index, number + 1), change.receiver] as const] : [],
      ),
    ]),
  );
}

function surroundings(plan: WorldPlan, write?: (text: string) => void): Surroundings {
  const clock = new VirtualClock(TEN_O_CLOCK_MS);
  const dice = new Dice(plan.dice);
  const sinceStartMs = () => clock.now() - TEN_O_CLOCK_MS;
  let ids = 0;
  return {
    clock,
    dice,
    faults: new Faults(plan.faults, dice, sinceStartMs),
    behindMs: () => plan.clockBehindMs + dice.whole(0, plan.clocksDifferMs),
    lateHearingMs: plan.lateHearingMs,
    asked: [],
    hurried: [],
    invocations: [],
    pinged: [],
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    tell: (entry) => write?.(`${(sinceStartMs() / 1_000).toFixed(3).padStart(9)} s  ${entry()}`),
  };
}

function tables(
  plan: WorldPlan,
  { graceMs }: DeliveryPolicy,
  { clock, dice }: Surroundings,
  sweeper: Sweeper,
  operator: Operator,
) {
  const now = () => clock.now();
  const index = {
    now,
    // Most changes are visible almost at once.
    lagMs: () => dice.whole(0, dice.chance(0.8) ? 20 : plan.lagMs),
    whenDue: (checkAt: string, visibleAtMs: number) => sweeper.expect(checkAt, visibleAtMs),
  };
  const history = new HistoryTable(index);
  const rows = plan.subscriptions.map(
    ({ eventTypes, timeoutMs, schedule, secretlessUntilMs, rateLimit, taste, isPulled = false }, number) => ({
      subscription: subscription({
        subscription_id: `sub_${number}`,
        service_id: serviceNamed(serviceOf(number, plan.services)),
        ...(isPulled
          ? { delivery: 'pull', callback_url: '' }
          : { callback_url: `https://sub_${number}.example/webhooks` }),
        event_types: subscribedTo(eventTypes, plan.catalogue),
        ...startsWith(taste),
        timeout_ms: timeoutMs,
        schedule,
        signing_secrets: [{ secret_id: 'sec_1', public_key: '', created_at: '2026-11-01T00:00:00.000Z' }],
        ...(rateLimit === undefined ? {} : limited(rateLimit, clock.now())),
      }),
      secretlessUntilMs: TEN_O_CLOCK_MS + secretlessUntilMs,
    }),
  );
  return {
    history,
    recoveries: new RecoveryTable({ ...index, graceMs }),
    sequences: new SequenceTable(index, (payment) => operator.hearOfEvents(payment)),
    subscriptions: new SubscriptionTable(rows, { ...index, graceMs }),
    keys: new OrderingKeysTable({ ...index, history, whenStuck: (name) => operator.hear(name) }),
  };
}

/** As a subscription with a rate limit is registered: with a timer from the beginning. */
function limited(rate_limit: number, nowMs: number) {
  return { rate_limit, circuit: { ...withTimer(CLOSED, nowMs), revision: 1 } };
}
