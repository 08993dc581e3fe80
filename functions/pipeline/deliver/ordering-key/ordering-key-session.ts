import { orderingKey } from '../../../core/message/message.ts';
import {
  type BlockedKey,
  type BlockedKeyInput,
  nextBlockedKey,
  type QueuedMessage,
  withMoreBehind,
} from '../../../core/ordering/blocked-ordering-key.ts';
import type { OrderingKeyName } from '../../../core/ordering/signal.ts';
import { type SignalKind, signal } from '../../../core/ordering/signal.ts';
import type { Batch } from '../batch.ts';
import type { Commit, Outcome } from '../ports.ts';
import { writeUntil } from './write-until.ts';

/** Somebody else has changed the key, though its group was ours: what was read means nothing any more, and the records come again. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
  constructor(orderingKey: string) {
    super(`${orderingKey} was changed by another worker`);
  }
}

/** Clocks of two workers hardly differ by more; what is due later than this has a timer of its own under way. */
const EARLY_MS = 10_000;

interface Step {
  readonly input: BlockedKeyInput;
  /** `since` of the key's first message after this step. */
  readonly oldestSince: string;
  readonly queuedMessages?: readonly QueuedMessage[];
  /** Places of pointers that go. */
  readonly removed?: readonly string[];
  readonly outcomes?: readonly Outcome[];
}

type Changes = Omit<Step, 'input' | 'oldestSince'> & Pick<Commit, 'isAddition'>;

/** One key while a worker holds its group: what is known of it, and the one way to change it. */
export class OrderingKeySession {
  readonly orderingKey: string;
  readonly name: OrderingKeyName;
  readonly #batch: Batch;
  #key: BlockedKey | undefined;
  #isBarred = false;
  /** Of hints that this batch has sent. */
  readonly #signalKinds = new Set<SignalKind>();

  constructor(name: OrderingKeyName, batch: Batch) {
    this.name = name;
    this.orderingKey = orderingKey(name);
    this.#batch = batch;
    this.#key = batch.found.keys.get(this.orderingKey);
  }

  /** Undefined while the key is not paused. */
  get key(): BlockedKey | undefined {
    return this.#key;
  }

  /**
   * Takes a step and writes it; then arms the key's timer, where there is a time to wait for that is near enough for one.
   *
   * @throws OvertakenError
   */
  async take({ input, oldestSince, ...changes }: Step): Promise<void> {
    const { ports, policy } = this.#batch;
    const nowMs = ports.now();
    const next = nextBlockedKey(this.#key, input, { nowMs, policy, name: this.name, oldestSince });
    await this.#write(next, changes);
    this.#isBarred = input.kind === 'barred';
    if (input.kind === 'attempt_failed' && input.dueAtMs - nowMs <= policy.longestTimerMs) {
      const timer = { kind: 'hint', ...signal(this.name, 'due') } as const;
      await ports.arm([{ timer, dueAtMs: input.dueAtMs }]);
    }
    if (input.kind === 'faulted' && next !== undefined) {
      ports.observer.keyFaulted(next);
    }
  }

  /**
   * Adds messages behind those that wait.
   *
   * @throws OvertakenError
   */
  async add(queuedMessages: readonly QueuedMessage[], outcomes: readonly Outcome[]): Promise<void> {
    if (this.#key === undefined) {
      throw new Error(`${this.orderingKey} is not paused: there is nobody to wait behind`);
    }
    await this.#write(withMoreBehind(this.#key), { queuedMessages, outcomes, isAddition: true });
  }

  /** Has the next batch go on with the key: there was no time left. */
  async signalOn(signalKind: SignalKind): Promise<void> {
    this.#signalKinds.add(signalKind);
    await this.#batch.ports.signal([signal(this.name, signalKind)]);
  }

  /** Has a hint that came early, by a clock that is behind that of whoever set its timer, come once more when it is due. */
  async waitForDue(signalKind: SignalKind): Promise<void> {
    const { ports } = this.#batch;
    if (signalKind !== 'due' || this.#key?.state !== 'waiting') {
      return;
    }
    const dueAtMs = Date.parse(this.#key.due_at);
    if (dueAtMs - ports.now() <= EARLY_MS) {
      this.#signalKinds.add(signalKind);
      await ports.arm([{ timer: { kind: 'hint', ...signal(this.name, signalKind) }, dueAtMs }]);
    }
  }

  /** Whether this batch has just put the key in line: a timer that comes after that has nothing to say, the line's ticks have. */
  get isBarred(): boolean {
    return this.#isBarred;
  }

  /** Whether a hint with this wish is on its way: another one of the batch would only add to it. */
  isSignalledOn(signalKind: SignalKind): boolean {
    return this.#signalKinds.has(signalKind);
  }

  async #write(next: BlockedKey | undefined, changes: Changes): Promise<void> {
    const { ports, outbox, writesUntilMs } = this.#batch;
    const { queuedMessages = [], removed = [], outcomes = [], isAddition = false } = changes;
    const commit = {
      token: ports.token(),
      orderingKey: this.orderingKey,
      known: this.#key,
      next,
      isAddition,
      queuedMessages,
      removed,
      outcomes,
    };
    if ((await writeUntil(writesUntilMs, () => ports.commit(commit), ports)) === 'overtaken') {
      throw new OvertakenError(this.orderingKey);
    }
    this.#key = next;
    outbox.remember(outcomes);
  }
}
