import { RefusedError } from '../../../core/errors/refused-error.ts';
import { orderingKey } from '../../../core/message/message.ts';
import type { Outcome } from '../../../core/message/ports.ts';
import {
  type BlockedKey,
  type BlockedKeyInput,
  nextBlockedKey,
  type QueuedMessage,
  withOthersBehind,
} from '../../../core/ordering/blocked-ordering-key.ts';
import type { Commit } from '../../../core/ordering/ports.ts';
import { keyTimer } from '../../../core/ordering/timers.ts';
import { ifNear } from '../../../core/signal/due.ts';
import type { OrderingKeyName } from '../../../core/signal/signal.ts';
import { type SignalKind, signal } from '../../../core/signal/signal.ts';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import type { Batch } from '../batch.ts';
import type { EndpointReport } from '../endpoint/endpoint-healths.ts';
import type { DeliverPorts } from '../ports.ts';

/** Between two tries to write, in ms. */
export const WRITING_SLEEP_MS = 500;

/**
 * Another worker has changed the ordering key, though its group was ours: what was read is out of date, and
 * the records are redelivered.
 */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
  constructor(orderingKey: string) {
    super(`${orderingKey} was changed by another worker`);
  }
}

/**
 * Clocks of two workers hardly differ by more; what is due later than this has a timer of its own under way.
 */
const EARLY_MS = 10_000;

/** What a step changes about an ordering key: the input of its machine, and what is written with it. */
export interface BlockedKeyChange {
  readonly input: BlockedKeyInput;
  /** `since` of the first message after this step. */
  readonly oldestSince: string;
  readonly queuedMessages?: readonly QueuedMessage[];
  /** Positions of queued messages that go. */
  readonly removed?: readonly string[];
  readonly outcomes?: readonly Outcome[];
}

/** What others hear of a step once it is written. */
export interface FollowUp {
  /** There was no time left: the next batch continues with the ordering key. */
  readonly signalOn?: SignalKind;
  readonly report?: EndpointReport;
}

type Changes = Omit<BlockedKeyChange, 'input' | 'oldestSince'> & Pick<Commit, 'isAddition'>;

/** One ordering key while a worker holds its group: its current state, and the one way to change it. */
export class OrderingKeySession {
  readonly orderingKey: string;
  readonly name: OrderingKeyName;
  readonly #batch: Batch;
  #key: BlockedKey | undefined;
  #isBarred = false;
  /** Of signals that this batch has sent. */
  readonly #signalKinds = new Set<SignalKind>();

  constructor(name: OrderingKeyName, batch: Batch) {
    this.name = name;
    this.orderingKey = orderingKey(name);
    this.#batch = batch;
    this.#key = batch.found.keys.get(this.orderingKey);
  }

  /** Undefined while the ordering key is not blocked. */
  get key(): BlockedKey | undefined {
    return this.#key;
  }

  /**
   * Moves its machine on and writes that, then arms the timer of the ordering key if it is due soon enough for one.
   *
   * @throws OvertakenError
   * @throws RefusedError when the store refuses what it says of a message
   */
  async move({ input, oldestSince, ...changes }: BlockedKeyChange): Promise<void> {
    const { ports, policy } = this.#batch;
    const nowMs = ports.now();
    const next = nextBlockedKey(this.#key, input, { nowMs, policy, name: this.name, oldestSince });
    const joins = next?.state === 'backlogged' && this.#key?.state !== 'backlogged';
    await this.#write(next, changes);
    if (joins) {
      await this.#callIfClosed();
    }
    this.#isBarred = input.kind === 'barred';
    if (input.kind === 'attempt_failed') {
      await ports.arm(ifNear({ timer: keyTimer(this.name), dueAtMs: input.dueAtMs }, nowMs, policy));
    }
    if (input.kind === 'got_stuck' && next !== undefined) {
      ports.observer.orderingKeyStuck(next);
    }
  }

  /**
   * Changes what waits behind the first message.
   *
   * @throws OvertakenError
   */
  async changeBehind(changes: Omit<BlockedKeyChange, 'input' | 'oldestSince'>): Promise<void> {
    if (this.#key === undefined) {
      throw new Error(`${this.orderingKey} is not blocked`);
    }
    await this.#write(withOthersBehind(this.#key), { ...changes, isAddition: true });
  }

  /** Tells others of a step that is written. Never rejects. */
  async followUp({ signalOn, report }: FollowUp): Promise<void> {
    const { ports, endpointHealths, endpointCounts } = this.#batch;
    if (signalOn !== undefined) {
      this.#signalKinds.add(signalOn);
      await ports.signal([signal(this.name, signalOn)]);
    }
    if (report !== undefined) {
      const { subscription, inputs, news } = report;
      const { circuit } = await endpointHealths.tell(subscription, inputs);
      if (circuit.state === 'draining' && news !== undefined) {
        endpointCounts.add(subscription.subscription_id, news);
      }
    }
  }

  /**
   * A signal that came early, by the clock of whoever set its timer, gets another timer for when it is due.
   *
   * @param mayLackTimer a worker may have died before it set the timer of what it wrote
   */
  async waitForDue(signalKind: SignalKind, mayLackTimer: boolean): Promise<void> {
    const { ports, policy } = this.#batch;
    if (signalKind !== 'resume' || this.#key?.state !== 'waiting') {
      return;
    }
    const nowMs = ports.now();
    const dueAtMs = Date.parse(this.#key.due_at);
    if (mayLackTimer || dueAtMs - nowMs <= EARLY_MS) {
      this.#signalKinds.add(signalKind);
      await ports.arm(ifNear({ timer: keyTimer(this.name), dueAtMs }, nowMs, policy));
    }
  }

  /**
   * Whether this batch has just put the ordering key in the backlog: from then on circuit timers signal it,
   * and no timer of its own.
   */
  get isBarred(): boolean {
    return this.#isBarred;
  }

  /** Whether such a signal is on its way already: another one of the batch would only double it. */
  isSignalledOn(signalKind: SignalKind): boolean {
    return this.#signalKinds.has(signalKind);
  }

  /**
   * The circuit may have closed since it was read: then no drain would find what has just joined the backlog,
   * only a look that comes ever more rarely.
   */
  async #callIfClosed(): Promise<void> {
    const { found, endpointHealths } = this.#batch;
    const subscription = found.subscriptions.get(this.name.subscription_id);
    const health = subscription && (await endpointHealths.rereadIfOld(subscription));
    const isPulled = health?.delivery === 'pull' && health.state !== 'deleted';
    if (health?.circuit.state !== 'closed' || isPulled) {
      return;
    }
    if (health.rate_limit === undefined) {
      await this.followUp({ signalOn: 'drain' });
    } else {
      await endpointHealths.tell(subscription as Subscription, [{ kind: 'joined' }]);
    }
  }

  async #write(next: BlockedKey | undefined, changes: Changes): Promise<void> {
    const { ports, writes, writesUntilMs } = this.#batch;
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
    writes.remember(outcomes);
  }
}

/** Retries a write while there is time: what was sent and is not on record would be sent again. */
async function writeUntil<T>(
  endsAtMs: number,
  write: () => Promise<T>,
  ports: Pick<DeliverPorts, 'now' | 'after' | 'observer'>,
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (ports.now() + WRITING_SLEEP_MS >= endsAtMs || isLasting(error)) {
        throw error;
      }
      ports.observer.internalError(error, []);
      await ports.after(WRITING_SLEEP_MS);
    }
  }
}

/** A write that is refused for what it says will be refused again. */
function isLasting(error: unknown): boolean {
  return error instanceof RefusedError;
}
