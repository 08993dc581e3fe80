import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import type { MessageRecord } from '../../core/message/history.ts';
import { orderingKey } from '../../core/message/message.ts';
import type { Outcome } from '../../core/message/ports.ts';
import type { DeadRecord, DeliverPorts, Incoming, RecordDeadLetterReason } from './ports.ts';

type WritePorts = Pick<DeliverPorts, 'save' | 'deadLetter' | 'acknowledge'> & {
  readonly observer: Pick<DeliverPorts['observer'], 'internalError' | 'deadLettered'>;
};

/** A record that is done, and what has to be written before it may leave the queue. */
interface Entry {
  readonly record: Incoming;
  readonly outcomes: readonly Outcome[];
  readonly deadRecord?: DeadRecord;
}

/**
 * What a batch has decided and not yet written: outcomes for the history, and records that are done. Written
 * together for many groups, so that a batch of ten costs a handful of calls.
 */
export class BatchWrites {
  readonly #ports: WritePorts;
  #entries: Entry[] = [];
  /** Written, and still in the queue. */
  #unreleased: Incoming[] = [];
  readonly #records = new Map<string, MessageRecord>();
  readonly #decided = new Set<string>();
  readonly #finished = new Set<string>();

  constructor(ports: WritePorts) {
    this.#ports = ports;
  }

  /** The record may leave the queue once the outcomes are written. */
  done(record: Incoming, outcomes: readonly Outcome[] = []): void {
    this.#decide({ record, outcomes });
    this.remember(outcomes);
  }

  /** The record may leave the queue once it is dead-lettered. */
  deadLetter(record: Incoming, reason: RecordDeadLetterReason, explanation: string): void {
    this.#decide({ record, outcomes: [], deadRecord: { record, reason, explanation } });
  }

  #decide(entry: Entry): void {
    this.#decided.add(entry.record.recordId);
    this.#entries.push(entry);
  }

  /** Outcomes that are written already. */
  remember(outcomes: readonly Outcome[]): void {
    for (const { record } of outcomes) {
      this.#records.set(record.message_id, record);
    }
  }

  /** What this batch itself has decided about a message. */
  recordOf(messageId: string): MessageRecord | undefined {
    return this.#records.get(messageId);
  }

  /** Whether it is known what becomes of the record, written or not. */
  isDecided({ recordId }: Incoming): boolean {
    return this.#decided.has(recordId);
  }

  /** Whether all that was decided of the record is written; any other is redelivered. */
  isWritten({ recordId }: Incoming): boolean {
    return this.#finished.has(recordId);
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /**
   * Writes what there is. A record whose outcome the store refuses is dead-lettered. What could not be
   * written or dead-lettered stays for the next time, and with it all that is behind it in its group: if it
   * is redelivered, so are they.
   *
   * @param release whether written records leave the queue now. At the end of the batch Lambda deletes them
   * for nothing.
   */
  async flush({ release }: { readonly release: boolean }): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    let rest: Entry[];
    try {
      rest = await this.#deadLettered(await this.#written(entries));
    } catch (error) {
      this.#entries.unshift(...entries);
      throw error;
    }
    const unsettledKeys = new Set<string>();
    const left: Entry[] = [];
    for (const entry of rest) {
      const key = orderingKey(entry.record.name);
      if (unsettledKeys.has(key) || !isSettled(entry)) {
        unsettledKeys.add(key);
        left.push(entry);
      } else {
        this.#finished.add(entry.record.recordId);
        this.#unreleased.push(entry.record);
      }
    }
    this.#entries.unshift(...left);
    if (release) {
      const released = this.#unreleased;
      this.#unreleased = [];
      await this.#ports.acknowledge(released);
    }
  }

  /** What is left of each entry once its outcomes are written. */
  async #written(entries: readonly Entry[]): Promise<Entry[]> {
    const all = entries.flatMap(({ outcomes }) => outcomes);
    if (all.length === 0) {
      return [...entries];
    }
    const { untaken, refused, internalErrors } = await this.#ports.save(all);
    for (const internalError of internalErrors) {
      this.#ports.observer.internalError(internalError, []);
    }
    return entries.map(({ record, outcomes, deadRecord }) => {
      const refusal = outcomes.map((outcome) => refused.get(outcome)).find((reason) => reason !== undefined);
      const unstorable =
        refusal === undefined ? deadRecord : { record, reason: 'unstorable' as const, explanation: refusal };
      return {
        record,
        outcomes: outcomes.filter((outcome) => untaken.has(outcome)),
        ...(unstorable === undefined ? {} : { deadRecord: unstorable }),
      };
    });
  }

  /**
   * Likewise, once dead letters are sent: none that is behind something unwritten, since both may be
   * redelivered.
   */
  async #deadLettered(entries: readonly Entry[]): Promise<Entry[]> {
    const unsettledKeys = new Set<string>();
    const deadRecords: DeadRecord[] = [];
    for (const { record, outcomes, deadRecord } of entries) {
      const key = orderingKey(record.name);
      if (outcomes.length > 0) {
        unsettledKeys.add(key);
      } else if (deadRecord !== undefined && !unsettledKeys.has(key)) {
        deadRecords.push(deadRecord);
      }
    }
    const { answers, failed } = await isolateFailures(deadRecords, (some) => this.#ports.deadLetter(some));
    for (const internalError of failed.values()) {
      this.#ports.observer.internalError(internalError, []);
    }
    const left = new Set(answers.flatMap((ids) => [...ids]));
    const deadLettered = new Set(
      deadRecords.filter((deadRecord) => !failed.has(deadRecord) && !left.has(deadRecord.record.recordId)),
    );
    for (const deadRecord of deadLettered) {
      this.#ports.observer.deadLettered(deadRecord);
    }
    return entries.map(({ deadRecord, ...entry }) =>
      deadRecord === undefined || deadLettered.has(deadRecord) ? entry : { ...entry, deadRecord },
    );
  }
}

function isSettled({ outcomes, deadRecord }: Entry): boolean {
  return outcomes.length === 0 && deadRecord === undefined;
}
