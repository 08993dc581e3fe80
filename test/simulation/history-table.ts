import type { Attempt } from '../../functions/core/attempt.ts';
import { type MessageRecord, messageRecordSchema } from '../../functions/core/history.ts';
import { resourceKey } from '../../functions/core/message.ts';
import type { Outcome, Waiting } from '../../functions/deliver/ports.ts';

/** A write of one item, in the order in which they happened. */
export interface Written {
  readonly atMs: number;
  readonly messageId: string;
  readonly record?: MessageRecord;
  readonly attempt?: Attempt;
}

/** The history in memory: what was read stays true (reads are strongly consistent), and each write replaces one item. */
export class HistoryTable {
  readonly records = new Map<string, MessageRecord>();
  readonly #writes = new Map<string, Written[]>();
  readonly #attempts = new Map<string, Map<number, Attempt>>();
  readonly #resources = new Map<string, string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  recordsOf(messageIds: readonly string[]): Map<string, MessageRecord> {
    return new Map(
      messageIds.flatMap((id) => {
        const record = this.records.get(id);
        // As the adapter does: what is not in the schema is not read back.
        return record === undefined ? [] : [[id, messageRecordSchema.parse(record)] as const];
      }),
    );
  }

  /** A message that waits, with what is needed to send it. */
  read(messageId: string): Pick<Waiting, 'record' | 'resource'> {
    const record = this.recordsOf([messageId]).get(messageId);
    const resource = record && this.#resources.get(resourceKey(record));
    return {
      ...(record === undefined ? {} : { record }),
      ...(resource === undefined ? {} : { resource }),
    };
  }

  /** All attempts of a message that are on record, the first from the message's own item. */
  attemptsOf(messageId: string): Attempt[] {
    const first = this.records.get(messageId)?.first_attempt;
    return [...(first === undefined ? [] : [first]), ...(this.#attempts.get(messageId)?.values() ?? [])];
  }

  /** What was written about a message, in order. */
  writesOf(messageId: string): readonly Written[] {
    return this.#writes.get(messageId) ?? [];
  }

  /**
   * @param throttles whether an item stays unwritten in spite of the adapter's own repetitions
   * @throws when not all is written
   */
  save(outcomes: readonly Outcome[], throttles: () => boolean): void {
    let left = 0;
    for (const { record, laterAttempt } of outcomes) {
      left += throttles() ? 1 : this.#put({ messageId: record.message_id, record });
      if (laterAttempt !== undefined) {
        left += throttles() ? 1 : this.#put({ messageId: record.message_id, attempt: laterAttempt });
      }
    }
    if (left > 0) {
      throw new Error(`DynamoDB did not write everything in time: ${left} items`);
    }
  }

  keepResource(key: string, resource: string): void {
    this.#resources.set(key, resource);
  }

  resourcesOf(keys: readonly string[]): Map<string, string> {
    return new Map(
      keys.flatMap((key) => {
        const resource = this.#resources.get(key);
        return resource === undefined ? [] : [[key, resource] as const];
      }),
    );
  }

  #put(write: Omit<Written, 'atMs'>): 0 {
    const { messageId, record, attempt } = write;
    const writes = this.#writes.get(messageId) ?? [];
    writes.push({ ...write, atMs: this.#now() });
    this.#writes.set(messageId, writes);
    if (record !== undefined) {
      this.records.set(messageId, record);
    }
    if (attempt !== undefined) {
      const attempts = this.#attempts.get(messageId) ?? new Map<number, Attempt>();
      attempts.set(attempt.attempt, attempt);
      this.#attempts.set(messageId, attempts);
    }
    return 0;
  }
}
