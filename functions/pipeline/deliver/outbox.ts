import { apart } from '../../core/errors/isolate-failures.ts';
import type { MessageRecord } from '../../core/message/history.ts';
import { orderingKey } from '../../core/message/message.ts';
import {
  type DeliverPorts,
  type Incoming,
  nameOf,
  type Outcome,
  type RecordBurial,
  type RecordBurialReason,
} from './ports.ts';

type OutboxPorts = Pick<DeliverPorts, 'save' | 'bury' | 'acknowledge'> & {
  readonly observer: Pick<DeliverPorts['observer'], 'fault' | 'buried'>;
};

/** A record that is done with, and what has to be written before it may go. */
interface Entry {
  readonly record: Incoming;
  readonly outcomes: readonly Outcome[];
  readonly burial?: RecordBurial;
}

/**
 * What a batch has brought about and not yet written: outcomes for the history, and records that are done with. It is
 * written in one go for many groups, which is what makes a batch of ten cost a handful of calls.
 */
export class Outbox {
  readonly #ports: OutboxPorts;
  #entries: Entry[] = [];
  /** Written, and still in the queue. */
  #unreleased: Incoming[] = [];
  readonly #records = new Map<string, MessageRecord>();
  readonly #finished = new Set<string>();

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  /** The record may go from the queue, once the outcomes are written. */
  done(record: Incoming, outcomes: readonly Outcome[] = []): void {
    this.#entries.push({ record, outcomes });
    this.remember(outcomes);
  }

  /** The record may go from the queue, once it lies among the dead letters. */
  bury(record: Incoming, reason: RecordBurialReason, explanation: string): void {
    this.#entries.push({ record, outcomes: [], burial: { record, reason, explanation } });
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

  /** Whether the record is done with, and all of that is written; any other has to come again. */
  isDone({ recordId }: Incoming): boolean {
    return this.#finished.has(recordId);
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /**
   * Writes what there is. A record whose outcome the store refuses is put aside with the reason. What could not be written, or put aside, stays for the next
   * time, and with it what comes behind it in its group: should it come again, that has to as well.
   *
   * @param release whether written records leave the queue now. At the end of the batch SQS's mapping does that for nothing.
   */
  async flush({ release }: { readonly release: boolean }): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    let rest: Entry[];
    try {
      rest = await this.#buried(await this.#written(entries));
    } catch (error) {
      this.#entries.unshift(...entries);
      throw error;
    }
    const heldKeys = new Set<string>();
    const left: Entry[] = [];
    for (const entry of rest) {
      const key = orderingKey(nameOf(entry.record));
      if (heldKeys.has(key) || !isSettled(entry)) {
        heldKeys.add(key);
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
    const { untaken, refused, faults } = await this.#ports.save(all);
    for (const fault of faults) {
      this.#ports.observer.fault(fault, []);
    }
    return entries.map(({ record, outcomes, burial }) => {
      const refusal = outcomes.map((outcome) => refused.get(outcome)).find((reason) => reason !== undefined);
      const unstorable =
        refusal === undefined ? burial : { record, reason: 'unstorable' as const, explanation: refusal };
      return {
        record,
        outcomes: outcomes.filter((outcome) => untaken.has(outcome)),
        ...(unstorable === undefined ? {} : { burial: unstorable }),
      };
    });
  }

  /** Likewise, once what has to be lies among the dead letters: not what is behind something that is not written, since it may come again. */
  async #buried(entries: readonly Entry[]): Promise<Entry[]> {
    const heldKeys = new Set<string>();
    const burials: RecordBurial[] = [];
    for (const { record, outcomes, burial } of entries) {
      const key = orderingKey(nameOf(record));
      if (outcomes.length > 0) {
        heldKeys.add(key);
      } else if (burial !== undefined && !heldKeys.has(key)) {
        burials.push(burial);
      }
    }
    const { answers, failed } = await apart(burials, (some) => this.#ports.bury(some));
    for (const fault of failed.values()) {
      this.#ports.observer.fault(fault, []);
    }
    const left = new Set(answers.flatMap((ids) => [...ids]));
    const buried = new Set(
      burials.filter((burial) => !failed.has(burial) && !left.has(burial.record.recordId)),
    );
    for (const burial of buried) {
      this.#ports.observer.buried(burial);
    }
    return entries.map(({ burial, ...entry }) =>
      burial === undefined || buried.has(burial) ? entry : { ...entry, burial },
    );
  }
}

function isSettled({ outcomes, burial }: Entry): boolean {
  return outcomes.length === 0 && burial === undefined;
}
