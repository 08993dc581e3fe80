import type { SQSBatchResponse } from 'aws-lambda';
import type { Pollers } from '../../../../lib/pollers.ts';
import { Environment } from '../../workers/environment.ts';
import { Invocation, type Surroundings } from '../../workers/invocation.ts';
import type { FunctionUsage } from '../metering/function-usage.ts';
import type { Received, Source } from '../queues/queue-record.ts';
import { type Feed, IrregularPolling, type Polling, ScalingPolling } from './polling.ts';
import { ProvisionedPolling } from './provisioned-polling.ts';

/** This soon after its visibility timeout, a record is still being worked on. */
const BESIDE_MS = 1_000;

/** In visibility timeouts: after one of them, another worker has the records too. */
export const LATEST_START = 1.5;

interface Options {
  readonly name: string;
  readonly queue: Source;
  readonly maxConcurrency: number;
  /** @default - Lambda's own */
  readonly pollers?: Pollers | undefined;
  /** How many batches may be under way in one environment. @default 1, each in one of its own */
  readonly sideBySide?: number;
  /** Of its queue: a batch may start as late as this, and later. */
  readonly visibilityMs: number;
  /** The function's own limit: a worker that is not done by then is killed. */
  readonly timeoutMs: number;
  readonly worker: (records: readonly Received[], invocation: Invocation) => Promise<SQSBatchResponse>;
  /**
   * Adds what a healthy Lambda takes and costs: pollers that scale with the load, warm environments, the one
   * used last first.
   * @default irregular polling, everything else in no time
   */
  readonly usage?: FunctionUsage;
}

/**
 * Feeds a worker from a queue as Lambda does: with limited concurrency and partial batch responses, never
 * changing a visibility. Source: AWS Lambda Developer Guide, "Using Lambda with Amazon SQS".
 */
export class EventSourceMapping {
  readonly invocations: Invocation[] = [];
  /** Those that several invocations share. */
  readonly environments: Environment[] = [];
  maxBusy = 0;
  batches = 0;
  records = 0;
  readonly #options: Options;
  readonly #around: Surroundings;
  readonly #polling: Polling;
  readonly #warm: Environment[] = [];
  #busy = 0;
  #count = 0;

  constructor(options: Options, around: Surroundings) {
    this.#options = options;
    this.#around = around;
    this.#polling = this.#pollingBy(options);
    options.queue.onAvailable(() => this.#polling.poll());
  }

  #pollingBy({ queue, maxConcurrency, pollers, usage }: Options): Polling {
    const { clock, dice } = this.#around;
    const feed: Feed = {
      queue,
      hasRoom: () => this.#busy < maxConcurrency,
      take: (records, done) => this.#takeUp(records, done),
    };
    const onReceive = () => usage?.call('ReceiveMessage', queue.isFifo);
    if (pollers !== undefined) {
      return new ProvisionedPolling(feed, { clock, pollers, onReceive, dice: usage ? undefined : dice });
    }
    return usage === undefined
      ? new IrregularPolling(feed, { clock, dice })
      : new ScalingPolling(feed, { clock, maxPollers: maxConcurrency, onReceive });
  }

  /** Restarts the count of batches. */
  forget(): void {
    this.batches = 0;
    this.records = 0;
  }

  /** Lambda may hold the records of a batch long before it has a worker for them. */
  #takeUp(records: readonly Received[], done?: () => void): void {
    const { clock, dice, faults, tell } = this.#around;
    const { usage } = this.#options;
    this.#busy += 1;
    this.maxBusy = Math.max(this.maxBusy, this.#busy);
    this.batches += 1;
    this.records += records.length;
    if (usage !== undefined) {
      clock.at(clock.now() + usage.handOverMs(), () => this.#invoke(records, undefined, done));
      return;
    }
    if (!faults.strike('lateStart')) {
      this.#invoke(records, undefined, done);
      return;
    }
    const receivedAtMs = clock.now();
    const { visibilityMs } = this.#options;
    // At any time; or when another worker has the records in hand by then.
    const lateMs = dice.chance(0.5)
      ? dice.whole(1_000, LATEST_START * visibilityMs)
      : visibilityMs + dice.whole(0, BESIDE_MS);
    tell(() => `${this.#options.name}: a batch waits ${lateMs} ms for its worker`);
    clock.at(receivedAtMs + lateMs, () => this.#invoke(records, receivedAtMs, done));
  }

  #invoke(records: readonly Received[], receivedAtMs: number | undefined, done?: () => void): void {
    const { clock, keepsInvocations = true } = this.#around;
    this.#count += 1;
    const environment = this.#environment();
    const invocation = new Invocation(
      `${this.#options.name} ${this.#count}`,
      this.#around,
      () => this.#free(done),
      records,
      receivedAtMs,
      environment,
    );
    if (receivedAtMs !== undefined) {
      invocation.met.push({ fault: 'lateStart', atMs: receivedAtMs, port: 'receive' });
    }
    if (keepsInvocations) {
      this.invocations.push(invocation);
    }
    invocation.tell(
      () => `takes ${records.map(({ id, receiveCount }) => `${id} (${receiveCount})`).join(', ')}`,
    );
    invocation.endsAt(clock.at(clock.now() + this.#options.timeoutMs, () => invocation.kill('timed_out')));
    this.#work(records, invocation).then(
      ({ batchItemFailures }) => {
        if (invocation.lives) {
          const failed = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
          if (this.#options.usage === undefined) {
            this.#deleteBut(failed, records, invocation);
          }
          invocation.end('ended');
          this.#settle(failed, records, invocation);
          this.#free(done);
        }
      },
      (error) => {
        if (invocation.lives) {
          invocation.error = error;
          invocation.end('failed');
          this.#free(done);
        }
      },
    );
  }

  async #work(records: readonly Received[], invocation: Invocation): Promise<SQSBatchResponse> {
    const { usage, worker } = this.#options;
    if (usage !== undefined) {
      await this.#around.clock.after(usage.ownMs(records.length));
    }
    return worker(records, invocation);
  }

  /**
   * Counts what the invocation took. Its records are deleted a little later, when its environment is free
   * already.
   */
  #settle(failed: readonly string[], records: readonly Received[], invocation: Invocation): void {
    const { usage, queue } = this.#options;
    if (usage === undefined) {
      return;
    }
    usage.ended(invocation.startedAtMs);
    this.#warm.push(invocation.environment!);
    if (records.some(({ id, receipt }) => !failed.includes(id) && queue.holds(receipt))) {
      const { clock } = this.#around;
      usage.call('DeleteMessageBatch', queue.isFifo);
      clock.at(clock.now() + usage.deletionMs(), () => this.#deleteBut(failed, records, invocation));
    }
  }

  /** One that has room and neither died nor froze, or a new one. */
  #environment(): Environment | undefined {
    const { sideBySide = 1, usage } = this.#options;
    if (usage !== undefined) {
      return this.#warm.pop() ?? new Environment(this.#around.behindMs());
    }
    if (sideBySide === 1) {
      return undefined;
    }
    const { clock, behindMs } = this.#around;
    const known = this.environments.find(
      ({ size, diedWith, frozenUntilMs }) =>
        size < sideBySide && diedWith === undefined && frozenUntilMs <= clock.now(),
    );
    if (known !== undefined) {
      return known;
    }
    const environment = new Environment(behindMs());
    this.environments.push(environment);
    return environment;
  }

  #deleteBut(reported: readonly string[], records: readonly Received[], invocation: Invocation): void {
    const known = new Set(records.map(({ id }) => id));
    // One unknown id fails the whole batch.
    const stays = reported.every((id) => known.has(id)) ? new Set(reported) : known;
    invocation.tell(() => `ends${stays.size === 0 ? '' : `, not done: ${[...stays].join(', ')}`}`);
    for (const { id, receipt, group } of records) {
      if (!stays.has(id) && !invocation.meets('undeleted', 'delete', group)) {
        this.#options.queue.delete(receipt);
      }
    }
  }

  get name(): string {
    return this.#options.name;
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  #free(done?: () => void): void {
    this.#busy -= 1;
    done?.();
    this.#polling.poll();
  }
}
