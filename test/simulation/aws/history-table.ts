import type { Attempt } from '../../../functions/core/attempt/attempt.ts';
import { isFinal } from '../../../functions/core/attempt/outcome.ts';
import { type MessageRecord, messageRecordSchema } from '../../../functions/core/message/history.ts';
import { resourceKey } from '../../../functions/core/message/message.ts';
import { type PastPage, pastMessageSchema, type Recovery } from '../../../functions/core/message/recovery.ts';
import type { Outcome, Waiting } from '../../../functions/pipeline/deliver/ports.ts';
import { LaggingIndex } from './lagging-index.ts';

/** Fewer than the adapter's, so that small worlds see more than one page. */
const PAGE = 3;

/** A write of one item, in the order in which they happened. */
export interface Written {
  readonly atMs: number;
  readonly messageId: string;
  readonly record?: MessageRecord;
  readonly attempt?: Attempt;
}

/** The history in memory: reads are strongly consistent, the index by subscription lags, and each write replaces one item. */
export class HistoryTable {
  readonly records = new Map<string, MessageRecord>();
  readonly #writes = new Map<string, Written[]>();
  readonly #attempts = new Map<string, Map<number, Attempt>>();
  readonly #resources = new Map<string, string>();
  readonly #now: () => number;
  readonly #bySubscription: LaggingIndex<MessageRecord>;

  constructor(now: () => number, lagMs: () => number = () => 0) {
    this.#now = now;
    this.#bySubscription = new LaggingIndex(now, lagMs);
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

  /** As the index has it: whole instants, in order. */
  pastMessages({
    subscription_id,
    continue_at,
    until,
  }: Pick<Recovery, 'subscription_id' | 'continue_at' | 'until'>): PastPage {
    const all = this.#bySubscription.items
      .filter(
        (one) =>
          one.subscription_id === subscription_id &&
          one.admitted_at >= continue_at &&
          one.admitted_at < until,
      )
      .sort((one, other) => (one.admitted_at < other.admitted_at ? -1 : 1));
    const last = all[PAGE - 1]?.admitted_at;
    const rest = last === undefined ? -1 : all.findIndex(({ admitted_at }) => admitted_at > last);
    const messages = (rest < 0 ? all : all.slice(0, rest)).map((one) => pastMessageSchema.parse(one));
    const continueAt = all[rest]?.admitted_at;
    return { messages, ...(continueAt === undefined ? {} : { continueAt }) };
  }

  /** How many of a subscription wait, as the index has it. */
  waiting(subscriptionId: string, max: number): number {
    const waiting = this.#bySubscription.items.filter(
      (one) => one.subscription_id === subscriptionId && !isFinal(one),
    );
    return Math.min(waiting.length, max);
  }

  /** What was written about a message, in order. */
  writesOf(messageId: string): readonly Written[] {
    return this.#writes.get(messageId) ?? [];
  }

  /**
   * @param throttles whether an item stays unwritten in spite of the adapter's own repetitions
   * @returns the outcomes that are not written, or not all of them
   */
  save(outcomes: readonly Outcome[], throttles: (record: MessageRecord) => boolean): Outcome[] {
    return outcomes.filter(({ record, laterAttempt }) => {
      const { message_id: messageId } = record;
      const left = [{ record }, ...(laterAttempt === undefined ? [] : [{ attempt: laterAttempt }])].filter(
        (item) => {
          const isLeft = throttles(record);
          if (!isLeft) {
            this.#put({ messageId, ...item });
          }
          return isLeft;
        },
      );
      return left.length > 0;
    });
  }

  /** Event ids are used once here. */
  keepResource(event: Parameters<typeof resourceKey>[0], resource: string): string {
    const key = resourceKey(event);
    this.#resources.set(key, resource);
    return key;
  }

  resourcesOf(keys: readonly string[]): Map<string, string> {
    return new Map(
      keys.flatMap((key) => {
        const resource = this.#resources.get(key);
        return resource === undefined ? [] : [[key, resource] as const];
      }),
    );
  }

  #put(write: Omit<Written, 'atMs'>): void {
    const { messageId, record, attempt } = write;
    const writes = this.#writes.get(messageId) ?? [];
    writes.push({ ...write, atMs: this.#now() });
    this.#writes.set(messageId, writes);
    if (record !== undefined) {
      this.records.set(messageId, record);
      this.#bySubscription.write(messageId, record);
    }
    if (attempt !== undefined) {
      const attempts = this.#attempts.get(messageId) ?? new Map<number, Attempt>();
      attempts.set(attempt.attempt, attempt);
      this.#attempts.set(messageId, attempts);
    }
  }
}
