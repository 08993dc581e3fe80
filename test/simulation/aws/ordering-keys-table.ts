import type { InBacklog } from '../../../functions/core/circuit/circuit-timer.ts';
import type { BlockedKey, QueuedMessage } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import type { Commit, Outcome, Waiting } from '../../../functions/pipeline/deliver/ports.ts';
import type { WaitingKey } from '../../../functions/pipeline/sweep/ports.ts';
import type { HistoryTable } from './history-table.ts';
import { LaggingIndex } from './lagging-index.ts';

/** DynamoDB takes so many items in a transaction. */
const MAX_ACTIONS = 100;

/** Fewer than the adapter's, so that small worlds see more than one page. */
const PAGE = 3;

/** A key in line that sweep has to look at when what waits in it is over age. */
type AgingOrderingKey = InBacklog & { readonly age_check_at: string };

interface Options {
  readonly now: () => number;
  /** How long the next change takes to its indexes. */
  readonly lagMs: () => number;
  readonly history: HistoryTable;
  /** Somebody has to look at the due index then. */
  readonly whenDue: (checkAt: string, visibleAtMs: number) => void;
  /** A key waits for an operator. */
  readonly whenStuck: (orderingKey: string) => void;
}

/** Paused keys and their pointers in memory: transactions together with the history, consistent reads, indexes that lag. */
export class OrderingKeysTable {
  readonly keys = new Map<string, BlockedKey>();
  readonly #queuedMessages = new Map<string, Map<string, QueuedMessage>>();
  readonly #done = new Map<string, Commit>();
  readonly #backlog: LaggingIndex<InBacklog>;
  readonly #due: LaggingIndex<WaitingKey>;
  readonly #aging: LaggingIndex<AgingOrderingKey>;
  readonly #history: HistoryTable;
  readonly #whenStuck: Options['whenStuck'];
  /** Keys that were left without pointers, or pointers without a key. */
  readonly inconsistencies: string[] = [];
  /** How often the later one of two writers was refused. */
  refusals = 0;
  /** How often a key came to wait for an operator. */
  faults = 0;
  /** How many pointers there were at most. */
  maxPointers = 0;
  #queuedMessageCount = 0;

  constructor({ now, lagMs, history, whenDue, whenStuck }: Options) {
    this.#whenStuck = whenStuck;
    this.#history = history;
    this.#backlog = new LaggingIndex(now, lagMs);
    this.#due = new LaggingIndex(now, lagMs, ({ check_at }, visibleAtMs) => whenDue(check_at, visibleAtMs));
    this.#aging = new LaggingIndex(now, lagMs, ({ age_check_at }, visibleAtMs) =>
      whenDue(age_check_at, visibleAtMs),
    );
  }

  find(orderingKeys: readonly string[]): Map<string, BlockedKey> {
    return new Map(
      orderingKeys.flatMap((name) => {
        const key = this.keys.get(name);
        return key === undefined ? [] : [[name, key] as const];
      }),
    );
  }

  /** All or nothing; what was written under a token is not written again. */
  commit(commit: Commit): 'written' | 'overtaken' {
    const { token, orderingKey, known, next, isAddition, queuedMessages, removed, outcomes } = commit;
    const before = this.#done.get(token);
    if (before !== undefined) {
      if (before !== commit) {
        throw new Error(`the token of ${orderingKey} was used for another commit`);
      }
      return 'written';
    }
    const actions = 1 + queuedMessages.length + removed.length + actionsOf(outcomes);
    if (actions > MAX_ACTIONS) {
      throw new RangeError(`${orderingKey}: ${actions} writes, of at most ${MAX_ACTIONS}`);
    }
    const hasEnded = outcomes.some(
      ({ record }) => !record.late && this.#history.records.get(record.message_id)?.ended_at !== undefined,
    );
    if (hasEnded || this.keys.get(orderingKey)?.revision !== known?.revision) {
      this.refusals += 1;
      return 'overtaken';
    }
    this.#done.set(token, commit);
    const current = this.keys.get(orderingKey);
    // Added to, it stays as it stands there, with its checks where they were moved to.
    const isAdded = isAddition && current !== undefined && next !== undefined;
    this.#write(orderingKey, isAdded ? { ...current, revision: next.revision } : next);
    if (next?.state === 'fault') {
      this.faults += known?.state === 'fault' ? 0 : 1;
      this.#whenStuck(orderingKey);
    }
    const waiting = this.#queuedMessages.get(orderingKey) ?? new Map<string, QueuedMessage>();
    this.#queuedMessageCount -= waiting.size;
    for (const queuedMessage of queuedMessages) {
      waiting.set(queuedMessage.place, queuedMessage);
    }
    for (const position of removed) {
      waiting.delete(position);
    }
    this.#queuedMessageCount += waiting.size;
    this.maxPointers = Math.max(this.maxPointers, this.#queuedMessageCount);
    if (waiting.size === 0) {
      this.#queuedMessages.delete(orderingKey);
    } else {
      this.#queuedMessages.set(orderingKey, waiting);
    }
    const pointed = new Set([...waiting.values()].map(({ message_id }) => message_id));
    if (pointed.size < waiting.size) {
      this.inconsistencies.push(`${orderingKey} points twice to one message`);
    }
    if (waiting.size > 0 !== this.keys.has(orderingKey)) {
      this.inconsistencies.push(
        `${orderingKey} has ${waiting.size} pointers and is ${next?.state ?? 'free'}`,
      );
    }
    this.#history.save(outcomes, () => false);
    return 'written';
  }

  waitingIn(orderingKey: string): { waiting: Waiting[]; isAll: boolean } {
    const all = [...(this.#queuedMessages.get(orderingKey)?.values() ?? [])].sort(byPosition);
    const waiting = all
      .slice(0, PAGE)
      .map((queuedMessage) => ({ queuedMessage, ...this.#history.read(queuedMessage.message_id) }));
    return { waiting, isAll: all.length <= PAGE };
  }

  /** As the index has it. */
  backlog(subscriptionId: string, max: number, from = ''): InBacklog[] {
    return this.#backlog.items
      .filter(({ subscription_id, parked_at }) => subscription_id === subscriptionId && parked_at >= from)
      .sort((one, other) => (one.parked_at < other.parked_at ? -1 : 1))
      .slice(0, max);
  }

  /** As the index has it: the oldest first. */
  get due(): readonly WaitingKey[] {
    return [...this.#due.items].sort((one, other) => (one.check_at < other.check_at ? -1 : 1));
  }

  /** As the index has it: what is over age first. */
  get aging(): readonly AgingOrderingKey[] {
    return [...this.#aging.items].sort((one, other) => (one.age_check_at < other.age_check_at ? -1 : 1));
  }

  /** When somebody has to look at these indexes, and from when on there will be something to see. */
  get checks(): readonly { readonly checkAt: string; readonly visibleAtMs: number }[] {
    return [
      ...this.#due.outlook.map(({ item, visibleAtMs }) => ({ checkAt: item.check_at, visibleAtMs })),
      ...this.#aging.outlook.map(({ item, visibleAtMs }) => ({ checkAt: item.age_check_at, visibleAtMs })),
    ];
  }

  moveCheck(orderingKey: string, from: string, to: string): boolean {
    const key = this.keys.get(orderingKey);
    if (key === undefined || key.state === 'fault' || (key.check_at !== from && key.check_at !== to)) {
      return false;
    }
    this.#write(orderingKey, { ...key, check_at: to });
    return true;
  }

  moveAgeCheck(orderingKey: string, from: string, to: string): boolean {
    const key = this.keys.get(orderingKey);
    if (key?.state !== 'in_line' || (key.age_check_at !== from && key.age_check_at !== to)) {
      return false;
    }
    this.#write(orderingKey, { ...key, age_check_at: to });
    return true;
  }

  get queuedMessagesLeft(): readonly QueuedMessage[] {
    return [...this.#queuedMessages.values()].flatMap((queuedMessages) => [...queuedMessages.values()]);
  }

  #write(orderingKey: string, key: BlockedKey | undefined): void {
    if (key === undefined) {
      this.keys.delete(orderingKey);
    } else {
      this.keys.set(orderingKey, key);
    }
    this.#backlog.write(orderingKey, key?.state === 'in_line' ? key : undefined);
    this.#due.write(orderingKey, key?.state === 'waiting' ? key : undefined);
    const { age_check_at } = key?.state === 'in_line' ? key : {};
    this.#aging.write(
      orderingKey,
      age_check_at === undefined ? undefined : { ...(key as InBacklog), age_check_at },
    );
  }
}

function actionsOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { laterAttempt }) => sum + (laterAttempt === undefined ? 1 : 2), 0);
}

function byPosition(one: QueuedMessage, other: QueuedMessage): number {
  return one.place < other.place ? -1 : 1;
}
