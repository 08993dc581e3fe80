import type { MessageRecord } from '../core/history.ts';
import type { DeliverPorts, Delivery, Outcome } from './ports.ts';

/**
 * What a batch has brought about and not yet written: outcomes for the history, records that are done with and records that go back. It is
 * written in one go for many groups, which is what makes a batch of ten cost a handful of calls.
 */
export class Outbox {
  readonly #ports: Pick<DeliverPorts, 'save' | 'acknowledge' | 'returnSoon'>;
  #outcomes: Outcome[] = [];
  #done: Delivery[] = [];
  #back: Delivery[] = [];
  readonly #records = new Map<string, MessageRecord>();
  readonly #finished = new Set<string>();

  constructor(ports: Pick<DeliverPorts, 'save' | 'acknowledge' | 'returnSoon'>) {
    this.#ports = ports;
  }

  /** The record may go from the queue, once the outcomes are written. */
  done(delivery: Delivery, outcomes: readonly Outcome[] = []): void {
    this.#done.push(delivery);
    this.#finished.add(delivery.recordId);
    this.#add(outcomes);
  }

  /** The records, all that is left of their group, go back to the queue once the outcomes are written. */
  back(rest: readonly Delivery[], outcomes: readonly Outcome[]): void {
    this.#back.push(...rest);
    this.#add(outcomes);
  }

  /** What this batch itself has come to know of a message. */
  recordOf(messageId: string): MessageRecord | undefined {
    return this.#records.get(messageId);
  }

  /** Whether the record is done with; any other has to come again. */
  isDone({ recordId }: Delivery): boolean {
    return this.#finished.has(recordId);
  }

  get isEmpty(): boolean {
    return this.#done.length === 0 && this.#back.length === 0;
  }

  /**
   * Writes what there is; what could not be written stays for the next time.
   *
   * @param release whether done records leave the queue now. At the end of the batch SQS's mapping does that for nothing.
   */
  async flush({ release }: { readonly release: boolean }): Promise<void> {
    const outcomes = this.#outcomes;
    const done = this.#done;
    const back = this.#back;
    this.#outcomes = [];
    this.#done = [];
    this.#back = [];
    try {
      await this.#ports.save(outcomes);
    } catch (error) {
      this.#outcomes.unshift(...outcomes);
      this.#done.unshift(...done);
      this.#back.unshift(...back);
      throw error;
    }
    await Promise.all([release ? this.#ports.acknowledge(done) : undefined, this.#ports.returnSoon(back)]);
  }

  #add(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      this.#outcomes.push(outcome);
      this.#records.set(outcome.record.message_id, outcome.record);
    }
  }
}
