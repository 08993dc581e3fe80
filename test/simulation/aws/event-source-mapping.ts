import type { SQSBatchResponse } from 'aws-lambda';
import { Environment } from '../workers/environment.ts';
import { Invocation, type Surroundings } from '../workers/invocation.ts';
import type { Received, Source } from './queue-record.ts';

/** Lambda takes at most so many records at once, of a FIFO queue and of any without a batching window. */
const BATCH_SIZE = 10;

/** So soon after its visibility a record is still being worked on. */
const BESIDE_MS = 1_000;

/** Of a visibility: beyond it somebody else has the records too. */
export const LATEST_START = 1.5;

interface Options {
  readonly name: string;
  readonly queue: Source;
  readonly maxConcurrency: number;
  /** So many batches are under way in one environment. @default 1, each in one of its own */
  readonly sideBySide?: number;
  /** Of its queue: a batch may start as late as this, and later. */
  readonly visibilityMs: number;
  /** The function's own limit: whoever is not done by then is killed. */
  readonly timeoutMs: number;
  readonly worker: (records: readonly Received[], invocation: Invocation) => Promise<SQSBatchResponse>;
}

/**
 * Feeds a worker from a queue as Lambda does: up to so many batches at a time, partial batch responses, and never a change of visibility.
 * Source: AWS Lambda Developer Guide, "Using Lambda with Amazon SQS".
 */
export class EventSourceMapping {
  readonly invocations: Invocation[] = [];
  /** Those that several invocations share. */
  readonly environments: Environment[] = [];
  readonly #options: Options;
  readonly #around: Surroundings;
  #busy = 0;
  #polling = false;

  constructor(options: Options, around: Surroundings) {
    this.#options = options;
    this.#around = around;
    options.queue.onAvailable(() => this.#poll());
  }

  #poll(): void {
    if (this.#polling || this.#busy >= this.#options.maxConcurrency) {
      return;
    }
    this.#polling = true;
    const { clock, dice } = this.#around;
    clock.at(clock.now() + dice.whole(1, 20), () => {
      this.#polling = false;
      // Now and then SQS answers less than there is: fewer records, or without a group.
      const max = dice.chance(0.7) ? BATCH_SIZE : dice.whole(1, BATCH_SIZE);
      const sparse = dice.chance(0.2);
      const records = this.#options.queue.receive(max, () => sparse && dice.chance(0.5));
      if (records.length > 0) {
        this.#takeUp(records);
      }
      if (records.length > 0 || sparse) {
        this.#poll();
      }
    });
  }

  /** Lambda may have the records of a batch long before it has a worker for them. */
  #takeUp(records: readonly Received[]): void {
    const { clock, dice, faults, tell } = this.#around;
    this.#busy += 1;
    if (!faults.strike('lateStart')) {
      this.#invoke(records, undefined);
      return;
    }
    const receivedAtMs = clock.now();
    const { visibilityMs } = this.#options;
    // At any time; or when somebody else has the records in hand by then.
    const lateMs = dice.chance(0.5)
      ? dice.whole(1_000, LATEST_START * visibilityMs)
      : visibilityMs + dice.whole(0, BESIDE_MS);
    tell(() => `${this.#options.name}: a batch waits ${lateMs} ms for its worker`);
    clock.at(receivedAtMs + lateMs, () => this.#invoke(records, receivedAtMs));
  }

  #invoke(records: readonly Received[], receivedAtMs: number | undefined): void {
    const { clock } = this.#around;
    const invocation = new Invocation(
      `${this.#options.name} ${this.invocations.length + 1}`,
      this.#around,
      () => this.#free(),
      records,
      receivedAtMs,
      this.#environment(),
    );
    if (receivedAtMs !== undefined) {
      invocation.met.push({ fault: 'lateStart', atMs: receivedAtMs, port: 'receive' });
    }
    this.invocations.push(invocation);
    invocation.tell(
      () => `takes ${records.map(({ id, receiveCount }) => `${id} (${receiveCount})`).join(', ')}`,
    );
    invocation.endsAt(clock.at(clock.now() + this.#options.timeoutMs, () => invocation.kill('timed_out')));
    this.#options.worker(records, invocation).then(
      ({ batchItemFailures }) => {
        if (invocation.lives) {
          this.#deleteBut(
            batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
            records,
            invocation,
          );
          invocation.end('ended');
          this.#free();
        }
      },
      (error) => {
        if (invocation.lives) {
          invocation.error = error;
          invocation.end('failed');
          this.#free();
        }
      },
    );
  }

  /** One that has room, lives and moves, or a new one. */
  #environment(): Environment | undefined {
    const { sideBySide = 1 } = this.#options;
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
    // One id that Lambda does not know, and it takes the whole batch for failed.
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

  #free(): void {
    this.#busy -= 1;
    this.#poll();
  }
}
