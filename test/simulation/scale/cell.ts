import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import { STAGES } from '../../../lib/stages.ts';
import { visibilitySeconds, WORKER_SECONDS } from '../../../lib/worker-times.ts';
import { Dice } from '../../../load/statistics/dice.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../support/builders.ts';
import { RollCall } from '../aws/period-count.ts';
import { RecoveryTable } from '../aws/recovery-table.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { Calls } from './calls.ts';
import { DelayedQueue } from './delayed-queue.ts';
import { type Endpoint, Endpoints } from './endpoints.ts';
import { FunctionMapping } from './function-mapping.ts';
import { GroupQueue } from './group-queue.ts';
import { Meter } from './meter.ts';
import { Observations } from './observations.ts';
import { PastMessages } from './past-messages.ts';
import type { Shore } from './shore.ts';
import { Tables } from './tables.ts';
import { WORKERS } from './workers.ts';

const MINUTE_MS = 60_000;
/** What lib/stacks/pipeline-stack.ts gives each function. */
const MEMORY_GB = { match: 0.5, deliver: 0.5, wake: 0.5, sweep: 0.5 };

/** As on prod. */
function visibilityMs(name: keyof typeof WORKER_SECONDS): number {
  return visibilitySeconds(WORKER_SECONDS[name], STAGES.prod) * 1_000;
}

/** A subscription as a scenario thinks of it. */
export interface Partner {
  readonly serviceId: string;
  readonly subscriptionId: string;
  /** Who it is counted with: `healthy`, `dead`, … */
  readonly group: string;
  readonly endpoint: Endpoint;
  /** Its own deadline. @default 10 s */
  readonly timeoutMs?: number;
  /** @default - nothing has ever gone wrong */
  readonly circuit?: Subscription['circuit'];
}

/** One deployment: queues, tables, workers and partners, in a time of its own. */
export class Cell {
  readonly clock = new VirtualClock(TEN_O_CLOCK_MS);
  readonly startedAtMs = TEN_O_CLOCK_MS;
  readonly dice: Dice;
  readonly meter = new Meter(() => this.clock.now());
  readonly partners: readonly Partner[];
  readonly tables: Tables;
  readonly events: GroupQueue;
  readonly deliveries: GroupQueue;
  readonly timers: DelayedQueue;
  readonly endpoints: Endpoints;
  readonly observations: Observations;
  readonly mappings: Readonly<Record<'match' | 'deliver' | 'wake', FunctionMapping>>;
  readonly shore: Shore;

  constructor(partners: readonly Partner[], seed = 1) {
    this.dice = new Dice(seed);
    this.partners = partners;
    const { clock, dice, meter } = this;
    const byId = new Map(partners.map((one) => [one.subscriptionId, one]));
    this.tables = new Tables(meter, clock);
    this.tables.register(partners.map(registered));
    this.events = new GroupQueue('events.fifo', clock, visibilityMs('match'));
    this.deliveries = new GroupQueue('deliveries.fifo', clock, visibilityMs('deliver'));
    this.timers = new DelayedQueue('retry-timers', clock, visibilityMs('wake'));
    this.endpoints = new Endpoints((id) => byId.get(id)!.endpoint, clock, dice);
    this.observations = new Observations((id) => byId.get(id)!.group, TEN_O_CLOCK_MS);
    const { deliveries, timers, endpoints, observations } = this;
    const calls = new Calls(clock, dice, meter, this.tables);
    this.shore = {
      calls,
      deliveries,
      timers,
      endpoints,
      observations,
      rollCall: new RollCall(clock),
      recoveries: new RecoveryTable({
        now: () => clock.now(),
        lagMs: () => 0,
        graceMs: DELIVERY_POLICY.graceMs,
        // No timer is lost here: sweep finds none.
        whenDue: () => {},
      }),
      pastMessages: new PastMessages(this.tables),
      policy: DELIVERY_POLICY,
    };
    const mapping = (name: keyof Cell['mappings'], queue: GroupQueue | DelayedQueue) =>
      new FunctionMapping(
        {
          queue,
          maxConcurrency: STAGES.prod.concurrency[name],
          memoryGb: MEMORY_GB[name],
          worker: (records, environment) => WORKERS[name](records, this.shore, environment),
        },
        { clock, dice, meter },
      );
    this.mappings = {
      match: mapping('match', this.events),
      deliver: mapping('deliver', deliveries),
      wake: mapping('wake', timers),
    };
    this.#sweepAt(TEN_O_CLOCK_MS + MINUTE_MS);
  }

  /** Lets so much time pass, in ms from the start. */
  async runUntil(sinceStartMs: number): Promise<void> {
    await this.clock.run(this.startedAtMs + sinceStartMs);
  }

  /** Lets time pass until it is so, and at most so long, in ms from the start; answers when that was. */
  async runUntilIt(isSo: () => boolean, maxMs: number): Promise<number> {
    await this.clock.run(this.startedAtMs + maxMs, isSo);
    return this.clock.now() - this.startedAtMs;
  }

  #sweepAt(atMs: number): void {
    this.clock.at(atMs, () => {
      this.#sweepAt(atMs + MINUTE_MS);
      const startedAtMs = this.clock.now();
      WORKERS.sweep(this.shore).then(
        () => {
          this.meter.invocations += 1;
          this.meter.gbSeconds += ((this.clock.now() - startedAtMs) / 1_000) * MEMORY_GB.sweep;
        },
        (error) => this.observations.fault(error),
      );
    });
  }
}

function registered({ serviceId, subscriptionId, timeoutMs, circuit }: Partner): Subscription {
  return subscription({
    service_id: serviceId,
    subscription_id: subscriptionId,
    callback_url: `https://${subscriptionId}.example/webhooks`,
    ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
    ...(circuit === undefined ? {} : { circuit }),
  });
}
