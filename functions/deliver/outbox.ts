import type { MessageRecord } from '../core/history.ts';
import type { DeliverPorts, Incoming, Outcome } from './ports.ts';

/**
 * What a batch has brought about and not yet written: outcomes for the history, and records that are done with. It is
 * written in one go for many groups, which is what makes a batch of ten cost a handful of calls.
 */
export class Outbox {
  readonly #ports: Pick<DeliverPorts, 'save' | 'acknowledge'>;
  #outcomes: Outcome[] = [];
  #done: Incoming[] = [];
  readonly #records = new Map<string, MessageRecord>();
  readonly #finished = new Set<string>();

  constructor(ports: Pick<DeliverPorts, 'save' | 'acknowledge'>) {
    this.#ports = ports;
  }

  /** The record may go from the queue, once the outcomes are written. */
  done(record: Incoming, outcomes: readonly Outcome[] = []): void {
    this.#done.push(record);
    this.#finished.add(record.recordId);
    this.#outcomes.push(...outcomes);
    this.remember(outcomes);
  }

  /** Outcomes that somebody else has written. */
  remember(outcomes: readonly Outcome[]): void {
    for (const { record } of outcomes) {
      this.#records.set(record.message_id, record);
    }
  }

  /** What this batch itself has come to know of a message. */
  recordOf(messageId: string): MessageRecord | undefined {
    return this.#records.get(messageId);
  }

  /** Whether the record is done with; any other has to come again. */
  isDone({ recordId }: Incoming): boolean {
    return this.#finished.has(recordId);
  }

  get isEmpty(): boolean {
    return this.#done.length === 0;
  }

  /**
   * Writes what there is; what could not be written stays for the next time.
   *
   * @param release whether done records leave the queue now. At the end of the batch SQS's mapping does that for nothing.
   */
  async flush({ release }: { readonly release: boolean }): Promise<void> {
    const outcomes = this.#outcomes;
    const done = this.#done;
    this.#outcomes = [];
    this.#done = [];
    try {
      await this.#ports.save(outcomes);
    } catch (error) {
      this.#outcomes.unshift(...outcomes);
      this.#done.unshift(...done);
      throw error;
    }
    if (release) {
      await this.#ports.acknowledge(done);
    }
  }
}
