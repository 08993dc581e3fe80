import type { Subscription } from '../../functions/core/subscription/subscription.ts';
import { sweep } from '../../functions/pipeline/sweep/sweep.ts';
import type { Stage } from '../../lib/app/stage.ts';
import { EventCatalogue } from '../../lib/events/event-catalogue.ts';
import { STAGES } from '../../payhooks.config.ts';
import { EventSourceMapping } from '../../test/simulation/aws/lambda/event-source-mapping.ts';
import { FunctionUsage } from '../../test/simulation/aws/metering/function-usage.ts';
import { Meter } from '../../test/simulation/aws/metering/meter.ts';
import { FifoQueue } from '../../test/simulation/aws/queues/fifo-queue.ts';
import { StandardQueue } from '../../test/simulation/aws/queues/standard-queue.ts';
import { VirtualClock } from '../../test/simulation/clock/virtual-clock.ts';
import { Faults, NO_FAULTS } from '../../test/simulation/faults.ts';
import type { Surface } from '../../test/simulation/surface.ts';
import { deliverWorker } from '../../test/simulation/workers/deliver-worker.ts';
import { TIMEOUT_MS, VISIBILITY_MS } from '../../test/simulation/workers/function-limits.ts';
import { Invocation, type Surroundings } from '../../test/simulation/workers/invocation.ts';
import { matchWorker } from '../../test/simulation/workers/match-worker.ts';
import { sweepPorts } from '../../test/simulation/workers/sweeper.ts';
import { wakeWorker } from '../../test/simulation/workers/wake-worker.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../test/support/builders.ts';
import { Dice } from '../../test/support/dice.ts';
import { MeteredNetwork } from './metered-network.ts';
import { meteredTables } from './metered-tables.ts';
import { type Endpoint, Endpoints } from './partners/endpoints.ts';
import { Observations } from './partners/observations.ts';

const MINUTE_MS = 60_000;
/** What lib/parts/pipeline/ gives each function. */
const MEMORY_GB = { match: 0.5, deliver: 0.5, wake: 0.5, sweep: 0.5 };
/** As in lib/: more receives than anything here needs. */
const MAX_RECEIVE_COUNT = 100;

/** A subscription as a scenario describes it. */
export interface Partner {
  readonly serviceId: string;
  readonly subscriptionId: string;
  /** Which partners it is counted with: `healthy`, `dead`, … */
  readonly group: string;
  readonly endpoint: Endpoint;
  /** Its own deadline. @default 10 s */
  readonly timeoutMs?: number;
  /** @default - nothing has ever gone wrong */
  readonly circuit?: Subscription['circuit'];
}

/** One deployment: queues, tables, workers and partners, with a time of its own. */
export class Cell {
  readonly clock = new VirtualClock(TEN_O_CLOCK_MS);
  readonly startedAtMs = TEN_O_CLOCK_MS;
  readonly dice: Dice;
  readonly meter = new Meter(() => this.clock.now());
  readonly partners: readonly Partner[];
  readonly around: Surroundings;
  readonly surface: Surface;
  readonly endpoints: Endpoints;
  readonly observations: Observations;
  readonly mappings: Readonly<Record<'match' | 'deliver' | 'wake', EventSourceMapping>>;

  readonly #stage: Stage;

  /** @param stage whose workers and policy it has */
  constructor(partners: readonly Partner[], stage: Stage = STAGES.prod) {
    this.#stage = stage;
    this.dice = new Dice(1);
    this.partners = partners;
    const { clock, dice, meter } = this;
    const byId = new Map(partners.map((one) => [one.subscriptionId, one]));
    this.endpoints = new Endpoints((id) => byId.get(id)!.endpoint, clock, dice);
    const observations = new Observations((id) => byId.get(id)!.group, TEN_O_CLOCK_MS);
    this.observations = observations;
    this.around = surroundings(clock, dice, meter);
    const queue = (name: string, visibilityMs: number) => new FifoQueue(clock, { name, visibilityMs });
    this.surface = {
      catalogue: EventCatalogue.govUkPay().catalogue,
      events: queue('events.fifo', VISIBILITY_MS.match),
      deliveries: queue('deliveries.fifo', VISIBILITY_MS.deliver),
      eventsDeadLetters: queue('events-dead.fifo', VISIBILITY_MS.match),
      deliveriesDeadLetters: queue('deliveries-dead.fifo', VISIBILITY_MS.deliver),
      timers: new StandardQueue(clock, {
        name: 'retry-timers',
        visibilityMs: VISIBILITY_MS.wake,
        maxReceiveCount: MAX_RECEIVE_COUNT,
        dice,
      }),
      ...meteredTables(partners.map(registered), clock, meter),
      receivers: this.endpoints,
      policy: stage.deliveryPolicy,
      listener: {
        tried(tried) {
          meter.logLines += 1;
          observations.tried(tried);
        },
        concluded() {
          meter.logLines += 1;
        },
        fault: observations.fault,
      },
    };
    const { events, deliveries, timers } = this.surface;
    this.mappings = {
      match: this.#mapping('match', events, matchWorker),
      deliver: this.#mapping('deliver', deliveries, deliverWorker),
      wake: this.#mapping('wake', timers, wakeWorker),
    };
    this.#sweepAt(TEN_O_CLOCK_MS + MINUTE_MS);
  }

  /** Lets this much time pass, in ms from the start. */
  async runUntil(sinceStartMs: number): Promise<void> {
    await this.clock.run(this.startedAtMs + sinceStartMs);
  }

  /**
   * Lets time pass until a condition holds, at most this long, in ms from the start. Returns when that was.
   */
  async runUntilIt(isSo: () => boolean, maxMs: number): Promise<number> {
    await this.clock.run(this.startedAtMs + maxMs, isSo);
    return this.clock.now() - this.startedAtMs;
  }

  #mapping(name: keyof Cell['mappings'], queue: FifoQueue | StandardQueue, worker: typeof matchWorker) {
    return new EventSourceMapping(
      {
        name,
        queue,
        maxConcurrency: this.#stage.concurrency[name],
        visibilityMs: VISIBILITY_MS[name],
        timeoutMs: TIMEOUT_MS[name],
        worker: (records, invocation) => worker(records, invocation, this.surface),
        usage: this.#usage(MEMORY_GB[name]),
      },
      this.around,
    );
  }

  #usage(memoryGb: number): FunctionUsage {
    const { clock, dice, meter } = this;
    return new FunctionUsage({ clock, dice, meter, memoryGb });
  }

  #sweepAt(atMs: number): void {
    this.clock.at(atMs, () => {
      this.#sweepAt(atMs + MINUTE_MS);
      const invocation = new Invocation('sweep', this.around, () => {});
      sweep(sweepPorts(invocation, this.surface), this.surface.policy).then(
        () => this.#usage(MEMORY_GB.sweep).ended(invocation.startedAtMs),
        this.observations.fault,
      );
    });
  }
}

/** No failures: only calls that take time, and are counted. */
function surroundings(clock: VirtualClock, dice: Dice, meter: Meter): Surroundings {
  let ids = 0;
  return {
    clock,
    dice,
    faults: new Faults(NO_FAULTS, dice, () => 0),
    network: new MeteredNetwork(dice, meter),
    keepsInvocations: false,
    behindMs: () => 0,
    asked: [],
    hurried: [],
    invocations: [],
    pinged: [],
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    tell: () => {},
  };
}

function registered({ serviceId, subscriptionId, timeoutMs, circuit }: Partner): Subscription {
  return subscription({
    service_id: serviceId,
    subscription_id: subscriptionId,
    callback_url: `https://${subscriptionId}.example/webhooks`,
    signing_secrets: [{ secret_id: 'sec_1', public_key: '', created_at: '2026-11-01T00:00:00.000Z' }],
    ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
    ...(circuit === undefined ? {} : { circuit }),
  });
}
