import { historyItems } from '../../../../functions/adapters/dynamodb/history/history-items.ts';
import { historyTable } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import type { Attempt } from '../../../../functions/core/attempt/attempt.ts';
import { type MessageRecord, messageRecordSchema } from '../../../../functions/core/message/history.ts';
import type { Content } from '../../../../functions/core/message/look-into.ts';
import { type ResourceName, resourceKey } from '../../../../functions/core/message/message.ts';
import { isFinal } from '../../../../functions/core/message/outcome.ts';
import type { Outcome } from '../../../../functions/core/message/ports.ts';
import {
  type PastPage,
  pastMessageSchema,
  type Recovery,
} from '../../../../functions/core/message/recovery.ts';
import type { Waiting } from '../../../../functions/core/ordering/ports.ts';
import type { TableUnits } from '../metering/table-units.ts';
import { LaggingIndex } from './lagging-index.ts';

const PAGE = 3;

/** Only the time to live depends on it. */
const RETENTION_DAYS = 30;

/** A write of one item, in the order in which they happened. */
export interface Written {
  readonly atMs: number;
  readonly messageId: string;
  readonly record?: MessageRecord;
  readonly attempt?: Attempt;
}

interface Options {
  readonly now: () => number;
  /** How long the next change takes to the indexes. @default it is there at once */
  readonly lagMs?: () => number;
  /**
   * Messages in a page for recoveries. @default fewer than the adapter's, so that small worlds see more than
   * one page
   */
  readonly pageSize?: number;
  /** Whether each write is remembered for the checks: too much for a million messages. @default true */
  readonly remembersWrites?: boolean;
  /** @default nothing is counted */
  readonly units?: TableUnits | undefined;
}

/** The history: reads are strongly consistent, the indexes lag, and each write replaces one item. */
export class HistoryTable {
  readonly records = new Map<string, MessageRecord>();
  readonly #writes = new Map<string, Written[]>();
  readonly #attempts = new Map<string, Map<number, Attempt>>();
  readonly #resources = new Map<string, string>();
  readonly #options: Options;
  readonly #bySubscription: LaggingIndex<MessageRecord>;
  /** Those that are not final. */
  readonly #waiting: LaggingIndex<MessageRecord>;
  #lagMs = 0;

  constructor(options: Options) {
    this.#options = options;
    const index = {
      now: options.now,
      lagMs: () => this.#lagMs,
      partitionOf: (record: MessageRecord) => record.subscription_id,
      sortOf: (record: MessageRecord) => record.admitted_at,
    };
    this.#bySubscription = new LaggingIndex(index);
    this.#waiting = new LaggingIndex(index);
  }

  /** Puts a message there before time begins. */
  load(record: MessageRecord): void {
    this.records.set(record.message_id, record);
    this.#bySubscription.load(record.message_id, record);
    if (!isFinal(record)) {
      this.#waiting.load(record.message_id, record);
    }
  }

  recordsOf(messageIds: readonly string[]): Map<string, MessageRecord> {
    return new Map(
      messageIds.flatMap((id) => {
        const record = this.records.get(id);
        this.#options.units?.read(itemOf(record));
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

  /** What messages say; nothing of those whose body was erased. */
  contents(messages: readonly { readonly message_id: string }[]): Map<string, Content> {
    return new Map(
      messages.flatMap(({ message_id }) => {
        const { record, resource = record?.resource } = this.read(message_id);
        return record !== undefined && resource ? [[message_id, { record, resource }] as const] : [];
      }),
    );
  }

  /** All attempts of a message that are on record, the first from the message's own item. */
  attemptsOf(messageId: string): Attempt[] {
    const first = this.records.get(messageId)?.first_attempt;
    return [...(first === undefined ? [] : [first]), ...(this.#attempts.get(messageId)?.values() ?? [])];
  }

  /** As the index shows it: whole instants, in order. */
  pastMessages({
    subscription_id,
    continue_at,
    until,
  }: Pick<Recovery, 'subscription_id' | 'continue_at' | 'until'>): PastPage {
    const { pageSize = PAGE } = this.#options;
    const page: MessageRecord[] = [];
    let continueAt: string | undefined;
    for (const one of this.#bySubscription.from(continue_at, subscription_id)) {
      if (one.admitted_at >= until) {
        break;
      }
      if (page.length >= pageSize && one.admitted_at > page.at(-1)!.admitted_at) {
        continueAt = one.admitted_at;
        break;
      }
      page.push(one);
    }
    this.#query(historyTable.bySubscription, page);
    const messages = page.map((one) => pastMessageSchema.parse(one));
    return { messages, ...(continueAt === undefined ? {} : { continueAt }) };
  }

  /** How many messages of a subscription wait, as the index shows it. */
  waiting(subscriptionId: string, max: number): number {
    const waiting: MessageRecord[] = [];
    for (const one of this.#waiting.from('', subscriptionId)) {
      if (waiting.length === max) {
        break;
      }
      waiting.push(one);
    }
    this.#query(historyTable.undelivered, waiting);
    return waiting.length;
  }

  #query(index: string, records: readonly MessageRecord[]): void {
    this.#options.units?.query(
      index,
      historyItems(
        records.map((record) => ({ record })),
        RETENTION_DAYS,
      ),
    );
  }

  /** All writes of a message, in order. */
  writesOf(messageId: string): readonly Written[] {
    return this.#writes.get(messageId) ?? [];
  }

  /**
   * @param throttles whether an item stays unwritten, however often the adapter repeats the write
   * @param times how often each write counts: twice in a transaction
   * @returns the outcomes that are not written, or only in part
   */
  save(
    outcomes: readonly Outcome[],
    throttles: (record: MessageRecord) => boolean,
    times: 1 | 2 = 1,
  ): Outcome[] {
    return outcomes.filter(({ record, laterAttempt }) => {
      const { message_id: messageId } = record;
      const left = [{ record }, ...(laterAttempt === undefined ? [] : [{ attempt: laterAttempt }])].filter(
        (item) => {
          const isLeft = throttles(record);
          if (!isLeft) {
            this.#put({ messageId, ...item }, record, times);
          }
          return isLeft;
        },
      );
      return left.length > 0;
    });
  }

  /** Each event id is used once here. */
  keepResource(event: ResourceName, resource: string): void {
    this.#resources.set(resourceKey(event), resource);
  }

  resourcesOf(events: readonly ResourceName[]): Map<string, string> {
    return new Map(
      events.map(resourceKey).flatMap((key) => {
        const resource = this.#resources.get(key);
        return resource === undefined ? [] : [[key, resource] as const];
      }),
    );
  }

  #put(write: Omit<Written, 'atMs'>, of: MessageRecord, times: 1 | 2): void {
    const { messageId, record, attempt } = write;
    const { now, lagMs = () => 0, remembersWrites = true, units } = this.#options;
    if (remembersWrites) {
      const writes = this.#writes.get(messageId) ?? [];
      writes.push({ ...write, atMs: now() });
      this.#writes.set(messageId, writes);
    }
    if (record !== undefined) {
      const waitMs = units?.write(itemOf(this.records.get(messageId)), itemOf(record), times);
      this.records.set(messageId, record);
      this.#lagMs = lagMs();
      this.#bySubscription.write(messageId, record, waitMs);
      this.#waiting.write(messageId, isFinal(record) ? undefined : record, waitMs);
    }
    if (attempt !== undefined) {
      units?.write(
        undefined,
        historyItems([{ record: of, laterAttempt: attempt }], RETENTION_DAYS)[1],
        times,
      );
      const attempts = this.#attempts.get(messageId) ?? new Map<number, Attempt>();
      attempts.set(attempt.attempt, attempt);
      this.#attempts.set(messageId, attempts);
    }
  }
}

function itemOf(record: MessageRecord | undefined) {
  return record === undefined ? undefined : historyItems([{ record }], RETENTION_DAYS)[0];
}
