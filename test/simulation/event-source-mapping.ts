import type { SQSBatchResponse } from 'aws-lambda';
import { Invocation, type Surroundings } from './invocation.ts';
import type { Received, Source } from './queue-record.ts';

/** Lambda takes at most so many records at once, of a FIFO queue and of any without a batching window. */
const BATCH_SIZE = 10;

interface Options {
  readonly name: string;
  readonly queue: Source;
  readonly maxConcurrency: number;
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
      const most = dice.chance(0.7) ? BATCH_SIZE : dice.whole(1, BATCH_SIZE);
      const sparse = dice.chance(0.2);
      const records = this.#options.queue.receive(most, () => sparse && dice.chance(0.5));
      if (records.length > 0) {
        this.#invoke(records);
      }
      if (records.length > 0 || sparse) {
        this.#poll();
      }
    });
  }

  #invoke(records: readonly Received[]): void {
    const { clock } = this.#around;
    const invocation = new Invocation(
      `${this.#options.name} ${this.invocations.length + 1}`,
      this.#around,
      () => this.#free(),
      records,
    );
    this.invocations.push(invocation);
    this.#busy += 1;
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

  #deleteBut(reported: readonly string[], records: readonly Received[], invocation: Invocation): void {
    const known = new Set(records.map(({ id }) => id));
    // One id that Lambda does not know, and it takes the whole batch for failed.
    const stays = reported.every((id) => known.has(id)) ? new Set(reported) : known;
    invocation.tell(() => `ends${stays.size === 0 ? '' : `, not done: ${[...stays].join(', ')}`}`);
    for (const { id, receipt } of records) {
      if (!stays.has(id) && !invocation.meets('undeleted')) {
        this.#options.queue.delete(receipt);
      }
    }
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  #free(): void {
    this.#busy -= 1;
    this.#poll();
  }
}
