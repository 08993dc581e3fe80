import type { Dice } from '../../../load/statistics/dice.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Feed, SentRecord } from './group-queue.ts';
import { drawn, LATENCIES } from './latencies.ts';
import type { Meter } from './meter.ts';

const BATCH_SIZE = 10;

/** Lambda reads a queue with five pollers, adds 300 a minute while there is more than they take, and goes back to five. Source: "Configuring scaling behavior for SQS event source mappings", AWS Lambda Developer Guide. */
const FEWEST_POLLERS = 5;
const MORE_POLLERS_EACH_SECOND = 5;
const SECOND_MS = 1_000;

/** A poller asks again when it has its answer. */
const POLL_MS = 10;

/** Our own CPU time on the healthy path is under a millisecond for each webhook; around it are parsing and the runtime. */
const OWN_MS_EACH_BATCH = 2;
const OWN_MS_EACH_RECORD = 1;

/** What lasts from one invocation of a worker to the next: its caches. */
export interface Environment {
  readonly secretsUntilMs: Map<string, number>;
}

interface Options {
  readonly queue: Feed;
  readonly maxConcurrency: number;
  readonly memoryGb: number;
  /** Answers the ids of the records that come again. */
  readonly worker: (records: readonly SentRecord[], environment: Environment) => Promise<string[]>;
}

interface Around {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly meter: Meter;
}

/** Feeds a worker from a queue as Lambda does, with what that takes and costs. Execution environments are warm, the one used last is taken first. */
export class FunctionMapping {
  busy = 0;
  maxBusy = 0;
  batches = 0;
  records = 0;
  readonly #options: Options;
  readonly #around: Around;
  readonly #idle: Environment[] = [];
  #pollers = FEWEST_POLLERS;
  #polling = 0;
  #scaledAtMs = 0;

  constructor(options: Options, around: Around) {
    this.#options = options;
    this.#around = around;
    options.queue.onAvailable = () => this.#poll();
  }

  /** Counts batches anew: those before were not what is asked about. */
  forget(): void {
    this.batches = 0;
    this.records = 0;
  }

  #poll(): void {
    const { queue, maxConcurrency } = this.#options;
    const { clock } = this.#around;
    while (queue.hasAvailable && this.busy < maxConcurrency) {
      if (this.#polling >= this.#pollers && !this.#scaled()) {
        return;
      }
      this.#polling += 1;
      this.#count('ReceiveMessage');
      clock.at(clock.now() + POLL_MS, () => {
        this.#polling -= 1;
        this.#poll();
      });
      this.#invoke(queue.receive(BATCH_SIZE));
    }
    if (!queue.hasAvailable && this.#polling === 0) {
      this.#pollers = FEWEST_POLLERS;
    }
  }

  #scaled(): boolean {
    const nowMs = this.#around.clock.now();
    const max = Math.max(FEWEST_POLLERS, this.#options.maxConcurrency);
    if (nowMs - this.#scaledAtMs < SECOND_MS || this.#pollers >= max) {
      return false;
    }
    this.#scaledAtMs = nowMs;
    this.#pollers += MORE_POLLERS_EACH_SECOND;
    return true;
  }

  async #invoke(records: readonly SentRecord[]): Promise<void> {
    const { queue, worker, memoryGb } = this.#options;
    const { clock, dice, meter } = this.#around;
    this.busy += 1;
    this.maxBusy = Math.max(this.maxBusy, this.busy);
    this.batches += 1;
    this.records += records.length;
    await clock.after(drawn(LATENCIES.handOver, dice));
    const startedAtMs = clock.now();
    const environment = this.#idle.pop() ?? { secretsUntilMs: new Map() };
    await clock.after(OWN_MS_EACH_BATCH + OWN_MS_EACH_RECORD * records.length);
    const again = new Set(await worker(records, environment));
    meter.invocations += 1;
    meter.gbSeconds += (Math.ceil(clock.now() - startedAtMs) / 1_000) * memoryGb;
    this.#idle.push(environment);
    this.busy -= 1;
    this.#poll();
    if (again.size < records.length && records.some(({ isDeleted }) => !isDeleted)) {
      this.#count('DeleteMessageBatch');
      await clock.after(drawn(LATENCIES.DeleteMessageBatch, dice));
    }
    for (const record of records) {
      if (again.has(record.id)) {
        queue.leave(record);
      } else {
        queue.delete(record.id);
      }
    }
  }

  #count(kind: string): void {
    const { meter } = this.#around;
    meter.call(`lambda:${kind}`);
    if (this.#options.queue.isFifo) {
      meter.fifoRequests += 1;
    } else {
      meter.standardRequests += 1;
    }
  }
}
