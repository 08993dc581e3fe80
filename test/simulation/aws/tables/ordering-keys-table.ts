import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../../../functions/adapters/dynamodb/marshalled.ts';
import {
  orderingKeyItem,
  queuedMessageItemOf,
} from '../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { orderingKeysTable } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import type { Outcome } from '../../../../functions/core/message/ports.ts';
import type { BlockedKey, QueuedMessage } from '../../../../functions/core/ordering/blocked-ordering-key.ts';
import type { InBacklog } from '../../../../functions/core/ordering/circuit-timer.ts';
import type { Lease, LeaseResult } from '../../../../functions/core/ordering/lease.ts';
import type { Commit, Waiting } from '../../../../functions/core/ordering/ports.ts';
import { keyTimer } from '../../../../functions/core/ordering/timers.ts';
import type { Overdue } from '../../../../functions/core/signal/overdue.ts';
import type { TableUnits } from '../metering/table-units.ts';
import { RememberedFor } from '../queues/remembered-for.ts';
import { DueIndex, type DueOptions, nameOf } from './due-index.ts';
import type { HistoryTable } from './history-table.ts';
import { LaggingIndex } from './lagging-index.ts';

/** DynamoDB takes at most this many items in a transaction. */
const MAX_ACTIONS = 100;

/**
 * DynamoDB remembers the token of a transaction for ten minutes. Source: TransactWriteItems, Amazon DynamoDB
 * API Reference.
 */
const TOKENS_REMEMBERED_MS = 10 * 60_000;

const PAGE = 3;

interface Options extends DueOptions {
  readonly history: HistoryTable;
  /** An ordering key waits for an operator. */
  readonly whenStuck?: (orderingKey: string) => void;
  /**
   * Queued messages that are read at a time. @default fewer than the adapter's, so that small worlds see more
   * than one page
   */
  readonly pageSize?: number;
  /** @default nothing is counted */
  readonly units?: TableUnits | undefined;
}

/**
 * Blocked ordering keys and their queued messages: transactions that include the history, consistent reads,
 * indexes that lag.
 */
export class OrderingKeysTable {
  readonly keys = new Map<string, BlockedKey>();
  readonly #queuedMessages = new Map<string, Map<string, QueuedMessage>>();
  readonly #done: RememberedFor<Commit>;
  readonly #backlog: LaggingIndex<InBacklog>;
  readonly #due: DueIndex;
  readonly #aging: DueIndex;
  readonly #history: HistoryTable;
  readonly #whenStuck: Options['whenStuck'];
  readonly #pageSize: number;
  readonly #units: TableUnits | undefined;
  /** Ordering keys that were left without queued messages, or queued messages without their ordering key. */
  readonly inconsistencies: string[] = [];
  /** How often the later of two writers was refused. */
  refusals = 0;
  /** How often an ordering key came to wait for an operator. */
  faults = 0;
  /** The most queued messages at one time. */
  maxQueuedMessages = 0;
  #queuedMessageCount = 0;

  constructor(options: Options) {
    const { now, lagMs, history, whenStuck, pageSize = PAGE, units } = options;
    this.#whenStuck = whenStuck;
    this.#history = history;
    this.#pageSize = pageSize;
    this.#units = units;
    this.#done = new RememberedFor(TOKENS_REMEMBERED_MS, now);
    this.#backlog = new LaggingIndex({
      now,
      lagMs,
      partitionOf: ({ subscription_id }) => subscription_id,
      sortOf: ({ backlogged_at }) => backlogged_at,
    });
    this.#due = new DueIndex(options, 'keys');
    this.#aging = new DueIndex(options, 'keys', 'age_check_at');
  }

  /** Puts an ordering key in a backlog there before time begins, with the messages behind it. */
  load(key: InBacklog, queuedMessages: readonly QueuedMessage[]): void {
    const { ordering_key } = key;
    this.keys.set(ordering_key, key);
    this.#backlog.load(ordering_key, key);
    this.#queuedMessages.set(ordering_key, new Map(queuedMessages.map((one) => [one.position, one])));
    this.#queuedMessageCount += queuedMessages.length;
  }

  find(orderingKeys: readonly string[]): Map<string, BlockedKey> {
    return new Map(
      orderingKeys.flatMap((name) => {
        const key = this.keys.get(name);
        this.#units?.read(key && orderingKeyItem(key));
        return key === undefined ? [] : [[name, key] as const];
      }),
    );
  }

  /** All or nothing. A commit whose token was used before is not written again. */
  commit(commit: Commit): 'written' | 'overtaken' {
    const { token, orderingKey, known, next, isAddition, queuedMessages, removed, outcomes } = commit;
    const before = this.#done.get(token);
    if (before !== undefined) {
      if (before !== commit && !isDeepStrictEqual(before, commit)) {
        throw new Error(`the token of ${orderingKey} was used for another commit`);
      }
      return 'written';
    }
    const actions = 1 + queuedMessages.length + removed.length + actionsOf(outcomes);
    if (actions > MAX_ACTIONS) {
      throw new RangeError(`${orderingKey}: ${actions} writes, of at most ${MAX_ACTIONS}`);
    }
    const isInHand = (position: string) => {
      const lease = this.#queuedMessages.get(orderingKey)?.get(position)?.lease;
      return lease !== undefined && lease.result === undefined;
    };
    if (
      removed.some(isInHand) ||
      outcomes.some(({ record }) => this.#isOutdated(record)) ||
      this.keys.get(orderingKey)?.revision !== known?.revision
    ) {
      this.refusals += 1;
      this.#units?.check(this.#itemOf(orderingKey), 2);
      return 'overtaken';
    }
    this.#done.set(token, commit);
    const current = this.keys.get(orderingKey);
    // Added to, it stays as it stands there, with its checks where they were moved to.
    const isAdded = isAddition && current !== undefined && next !== undefined;
    this.#write(orderingKey, isAdded ? { ...current, revision: next.revision } : next, 2);
    if (next?.state === 'stuck') {
      this.faults += known?.state === 'stuck' ? 0 : 1;
      this.#whenStuck?.(orderingKey);
    }
    const waiting = this.#queuedMessages.get(orderingKey) ?? new Map<string, QueuedMessage>();
    this.#queuedMessageCount -= waiting.size;
    const kept = new Set(queuedMessages.map(({ position }) => position));
    for (const queuedMessage of queuedMessages) {
      this.#writeQueued(waiting, queuedMessage.position, queuedMessage);
    }
    for (const position of removed.filter((one) => !kept.has(one))) {
      this.#writeQueued(waiting, position, undefined);
    }
    this.#queuedMessageCount += waiting.size;
    this.maxQueuedMessages = Math.max(this.maxQueuedMessages, this.#queuedMessageCount);
    if (waiting.size === 0) {
      this.#queuedMessages.delete(orderingKey);
    } else {
      this.#queuedMessages.set(orderingKey, waiting);
    }
    const pointed = new Set([...waiting.values()].map(({ message_id }) => message_id));
    if (pointed.size < waiting.size) {
      this.inconsistencies.push(`${orderingKey} holds one message twice`);
    }
    if (waiting.size > 0 !== this.keys.has(orderingKey)) {
      this.inconsistencies.push(
        `${orderingKey} has ${waiting.size} queued messages and is ${next?.state ?? 'free'}`,
      );
    }
    this.#history.save(outcomes, () => false, 2);
    return 'written';
  }

  /** The message has ended since, or its body was erased. */
  #isOutdated({ message_id, late, body_erased_at }: MessageRecord): boolean {
    const there = this.#history.records.get(message_id);
    const hasEnded = !late && there?.ended_at !== undefined;
    return hasEnded || (body_erased_at === undefined && there?.body_erased_at !== undefined);
  }

  waitingIn(orderingKey: string): { waiting: Waiting[]; isAll: boolean } {
    const all = [...(this.#queuedMessages.get(orderingKey)?.values() ?? [])].sort(byPosition);
    this.#units?.read(...all.slice(0, this.#pageSize + 1).map(queuedMessageItemOf));
    const waiting = all
      .slice(0, this.#pageSize)
      .map((queuedMessage) => ({ queuedMessage, ...this.#history.read(queuedMessage.message_id) }));
    return { waiting, isAll: all.length <= this.#pageSize };
  }

  /** As the index shows it. */
  backlog(subscriptionId: string, max: number, from = ''): InBacklog[] {
    const found: InBacklog[] = [];
    for (const key of this.#backlog.from(from, subscriptionId)) {
      if (found.length === max) {
        break;
      }
      found.push(key);
    }
    this.#units?.query(orderingKeysTable.backlog, found.map(orderingKeyItem));
    return found;
  }

  /** As the index shows it. */
  newestOfBacklog(subscriptionId: string, max: number): InBacklog[] {
    const found = this.#backlog.last(max, subscriptionId);
    this.#units?.query(orderingKeysTable.backlog, found.map(orderingKeyItem));
    return found;
  }

  /** As the indexes show it: those that wait for their time, then those over age, the earliest check first. */
  overdue(until: string): Overdue[] {
    const [due, aging] = [this.#due.until(until), this.#aging.until(until)];
    this.#units?.query(orderingKeysTable.due, this.#itemsOf(due));
    this.#units?.query(orderingKeysTable.aging, this.#itemsOf(aging));
    return [...due, ...aging];
  }

  get checks() {
    return [...this.#due.checks, ...this.#aging.checks];
  }

  moveCheck(orderingKey: string, from: string, to: string, backloggedAt?: string): boolean {
    const key = this.keys.get(orderingKey);
    if (key === undefined || key.state === 'stuck' || (key.check_at !== from && key.check_at !== to)) {
      this.#units?.check(this.#itemOf(orderingKey));
      return false;
    }
    const moved =
      key.state === 'backlogged' && backloggedAt !== undefined ? { backlogged_at: backloggedAt } : {};
    this.#write(orderingKey, { ...key, check_at: to, ...moved });
    return true;
  }

  hold({ ordering_key, check_at }: InBacklog, until: string): boolean {
    const key = this.keys.get(ordering_key);
    if (key?.state !== 'backlogged' || key.check_at !== check_at) {
      return false;
    }
    this.#write(ordering_key, { ...key, check_at: until, age_check_at: until });
    return true;
  }

  lease({ ordering_key, position, failed_attempts }: QueuedMessage, lease: Lease): boolean {
    const queued = this.#queuedMessages.get(ordering_key)?.get(position);
    const isFree = queued?.lease === undefined || (queued.lease.id === lease.id && !queued.lease.result);
    if (queued?.failed_attempts !== failed_attempts || !isFree) {
      return false;
    }
    this.#queuedMessages.get(ordering_key)!.set(position, { ...queued, lease });
    return true;
  }

  endLease(
    { ordering_key, position, id }: { ordering_key: string; position: string; id: string },
    result: LeaseResult,
  ): Lease | undefined {
    const queued = this.#queuedMessages.get(ordering_key)?.get(position);
    if (queued?.lease?.id !== id) {
      return undefined;
    }
    const lease = { ...queued.lease, result: queued.lease.result ?? result };
    this.#queuedMessages.get(ordering_key)!.set(position, { ...queued, lease });
    return lease;
  }

  /** For sweep: moves the check that is overdue. */
  moveOverdue(overdue: Overdue, to: string): boolean {
    return overdue.place.check === 'check_at'
      ? this.moveCheck(nameOf(overdue), overdue.checkAt, to)
      : this.#moveAgeCheck(nameOf(overdue), overdue.checkAt, to);
  }

  #moveAgeCheck(orderingKey: string, from: string, to: string): boolean {
    const key = this.keys.get(orderingKey);
    if (key?.state !== 'backlogged' || (key.age_check_at !== from && key.age_check_at !== to)) {
      this.#units?.check(this.#itemOf(orderingKey));
      return false;
    }
    this.#write(orderingKey, { ...key, age_check_at: to });
    return true;
  }

  get queuedMessagesLeft(): readonly QueuedMessage[] {
    return [...this.#queuedMessages.values()].flatMap((queuedMessages) => [...queuedMessages.values()]);
  }

  #itemsOf(overdue: readonly Overdue[]): Item[] {
    return overdue.map((one) => this.#itemOf(nameOf(one)) ?? {});
  }

  #itemOf(orderingKey: string) {
    const key = this.keys.get(orderingKey);
    return key && orderingKeyItem(key);
  }

  #writeQueued(waiting: Map<string, QueuedMessage>, position: string, next: QueuedMessage | undefined): void {
    const before = waiting.get(position);
    this.#units?.write(before && queuedMessageItemOf(before), next && queuedMessageItemOf(next), 2);
    if (next === undefined) {
      waiting.delete(position);
    } else {
      waiting.set(position, next);
    }
  }

  #write(orderingKey: string, key: BlockedKey | undefined, times: 1 | 2 = 1): void {
    const waitMs = this.#units?.write(this.#itemOf(orderingKey), key && orderingKeyItem(key), times);
    if (key === undefined) {
      this.keys.delete(orderingKey);
    } else {
      this.keys.set(orderingKey, key);
    }
    this.#backlog.write(orderingKey, key?.state === 'backlogged' ? key : undefined, waitMs);
    const waiting =
      key?.state === 'waiting'
        ? { timer: keyTimer(key), dueAt: key.due_at, checkAt: key.check_at }
        : undefined;
    this.#due.write(orderingKey, waiting, waitMs);
    const aging =
      key?.state === 'backlogged' ? { timer: keyTimer(key), checkAt: key.age_check_at } : undefined;
    this.#aging.write(orderingKey, aging, waitMs);
  }
}

function actionsOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { laterAttempt }) => sum + (laterAttempt === undefined ? 1 : 2), 0);
}

function byPosition(one: QueuedMessage, other: QueuedMessage): number {
  return one.position < other.position ? -1 : 1;
}
