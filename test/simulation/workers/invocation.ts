import type { Dice } from '../../support/dice.ts';
import type { Received } from '../aws/queues/queue-record.ts';
import type { Timer, VirtualClock } from '../clock/virtual-clock.ts';
import type { Fault, Faults, Meeting, NamedFault } from '../faults.ts';
import type { Asked, Hurried, Pinged } from '../people/asked.ts';
import type { Environment } from './environment.ts';
import type { Network } from './network.ts';
import { settled } from './settled.ts';

/**
 * How long a stalled request takes, and again its response. The visibility timeout is half a minute longer
 * than the function's: requests of a killed worker must have had their effect by then.
 */
const STALLED_MS = [10_000, 28_000] as const;
const USUAL_MS = [1, 10] as const;

/** How long after the response the first of two requests may still take effect. */
const STRAGGLES_MS = [0, 25_000] as const;

/** How long a worker freezes: some are killed before they continue. */
const FROZEN_MS = [2_000, 70_000] as const;

/** `failed`: it threw. `crashed`, `timed_out`: it was killed, and has no further effect. */
export type Ending = 'ended' | 'failed' | 'crashed' | 'timed_out';

/** What each invocation needs of its world. */
export interface Surroundings {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly faults: Faults;
  /** How far the next worker's clock is behind those of SQS and the publishers. */
  readonly behindMs: () => number;
  /** How late a worker hears of anything at most, as it has too little CPU, in ms. @default 0 */
  readonly lateHearingMs?: number | undefined;
  /** A unique id. */
  readonly newId: () => string;
  /** Requests to send a message again, in order: it grows with time. */
  readonly asked: Asked[];
  readonly hurried: Hurried[];
  /** All invocations, people's too, in the order of their start. */
  readonly invocations: Invocation[];
  /** Test pings that were sent. */
  readonly pinged: Pinged[];
  /** Adds an entry to the event log of the run. */
  readonly tell: (entry: () => string) => void;
  /** @default 1 to 10 ms each way */
  readonly network?: Network;
  /** Whether all invocations are kept for the checks: too much for a million messages. @default true */
  readonly keepsInvocations?: boolean;
}

/** One invocation of a worker: its calls take time and may fail, and have no meaning once it is killed. */
export class Invocation {
  readonly name: string;
  readonly startedAtMs: number;
  endedAtMs: number | undefined;
  /** When the last of the requests that its SDK gave up took effect, perhaps after its end. */
  straggledAtMs = 0;
  ending: Ending | undefined;
  error: unknown;
  /** When Lambda received its records: perhaps some time before it started. */
  readonly receivedAtMs: number;
  /** The failures that it has met, in order: only they excuse what it leaves undone. */
  readonly met: Meeting[] = [];
  readonly around: Surroundings;
  /** What it was given to do. */
  readonly records: readonly Received[];
  readonly newId: () => string;
  /** Shared with other invocations; undefined: one of its own. */
  readonly environment: Environment | undefined;
  readonly #behindMs: number;
  readonly #whenKilled: () => void;
  #timeout: Timer | undefined;
  frozenUntilMs = 0;
  busyUntilMs = 0;
  blindMs = 0;
  /** It handles a record that ends it at its next call. */
  isPoisoned = false;

  constructor(
    name: string,
    around: Surroundings,
    whenKilled: () => void,
    records: readonly Received[] = [],
    receivedAtMs = around.clock.now(),
    environment?: Environment,
  ) {
    this.name = name;
    this.around = around;
    if (around.keepsInvocations !== false) {
      around.invocations.push(this);
    }
    this.records = records;
    this.newId = around.newId;
    this.startedAtMs = around.clock.now();
    this.receivedAtMs = receivedAtMs;
    this.environment = environment;
    this.#behindMs = environment?.behindMs ?? around.behindMs();
    this.#whenKilled = whenKilled;
    environment?.enter(this);
  }

  /** The time by its clock, in ms since 1970. */
  readonly workersTime = (): number => Math.round(this.around.clock.now() - this.#behindMs);

  /** The timer that kills it, unless it ends before. */
  endsAt(timeout: Timer): void {
    this.#timeout = timeout;
  }

  end(ending: Ending): void {
    this.ending = ending;
    this.endedAtMs = this.around.clock.now();
    this.environment?.leave(this);
    this.around.clock.cancel(this.#timeout);
    if (ending !== 'ended') {
      this.tell(() => (ending === 'failed' ? `throws ${this.error}` : ending));
    }
  }

  get lives(): boolean {
    return this.ending === undefined;
  }

  kill(ending: 'crashed' | 'timed_out'): void {
    if (this.lives) {
      this.end(ending);
      this.#whenKilled();
    }
  }

  readonly tell = (entry: () => string): void => {
    this.around.tell(() => `${this.name}: ${entry()}`);
  };

  /** Resolves after this many ms, if it still lives. */
  readonly after = async (ms: number): Promise<void> => {
    await this.around.clock.after(ms);
    await this.hearLate();
    await this.#thaw();
    await this.hear(() => undefined);
  };

  /** Its event loop is busy: an answer or a timer is there, and nobody looks. The process knows for how long. */
  async hearLate(): Promise<void> {
    const { clock, dice, lateHearingMs = 0 } = this.around;
    if (lateHearingMs > 0) {
      const loop = this.environment ?? this;
      if (loop.busyUntilMs <= clock.now()) {
        const busyMs = dice.whole(0, lateHearingMs);
        loop.busyUntilMs = clock.now() + busyMs;
        loop.blindMs += busyMs;
      }
      await clock.after(loop.busyUntilMs - clock.now());
    }
  }

  readonly meets = (fault: Fault, port: string, name?: string): boolean =>
    this.#remembers(this.around.faults.strike(fault, port), fault, port, name);

  /** The same for a failure that hits only some names. */
  readonly meetsAt = (fault: NamedFault, port: string, name: string): boolean =>
    this.#remembers(this.around.faults.strikes(fault, name), fault, port, name);

  #remembers(isStruck: boolean, fault: Fault, port: string, name?: string): boolean {
    if (isStruck) {
      this.met.push({ fault, atMs: this.around.clock.now(), port, name });
    }
    return isStruck;
  }

  /** Whether it has met one of these, at an instant or later. */
  hasMet(faults: readonly Fault[], sinceMs = 0): boolean {
    return this.met.some(({ fault, atMs }) => faults.includes(fault) && atMs >= sinceMs);
  }

  /**
   * A call through a port. The effect happens even if the worker is killed while the request is on its way;
   * only a live worker gets the response.
   *
   * @param name the one ordering key or subscription that the call is about
   * @param rejects whether the port may reject at all
   */
  async call<T>(
    port: string,
    effect: () => T,
    {
      rejects,
      name,
      size = 1,
    }: { readonly rejects: boolean; readonly name?: string | undefined; readonly size?: number },
  ): Promise<T> {
    const { clock, dice, network } = this.around;
    if (network !== undefined) {
      return this.#callOver(network, port, size, effect);
    }
    await this.mayDie(port);
    const isStalled = this.around.faults.strike('stall', port);
    const [shortestMs, longestMs] = isStalled ? STALLED_MS : USUAL_MS;
    const wayMs = dice.whole(shortestMs, longestMs);
    if (isStalled) {
      const atMs = clock.now();
      this.met.push({ fault: 'stall', atMs, untilMs: atMs + 2 * wayMs, port, name });
    }
    const refused = rejects && this.meets('reject', port, name);
    const answerIsLost = refused && dice.chance(0.5);
    await clock.after(wayMs);
    if (refused && !answerIsLost) {
      if (dice.chance(0.5)) {
        this.#straggle(port, effect);
      }
      return this.hear(() => this.#refuse(port));
    }
    const outcome = settled(effect);
    await this.mayDie(port);
    await clock.after(wayMs);
    return this.hear(() => (answerIsLost ? this.#refuse(port) : outcome()));
  }

  /** A call without failures. */
  async #callOver<T>(network: Network, port: string, size: number, effect: () => T): Promise<T> {
    const { clock } = this.around;
    await clock.after(network.thereMs(port, size));
    const answer = effect();
    const backMs = network.backMs();
    if (backMs > 0) {
      await clock.after(backMs);
    }
    return this.lives ? answer : new Promise<never>(() => {});
  }

  /** A call to tables, which may be unavailable. */
  callTable<T>(port: string, effect: () => T, name?: string, size = 1): Promise<T> {
    const isStruck = () =>
      this.meets('outage', port, name) || (name !== undefined && this.meetsAt('throttled', port, name));
    const reach = () => (isStruck() ? this.#refuse(port) : effect());
    return this.call(port, () => this.#mayRepeat(port, reach, name), { rejects: true, name, size });
  }

  /** The SDK gives up waiting for a response, and repeats the request: the worker gets one response. */
  #mayRepeat<T>(port: string, effect: () => T, name?: string): T {
    if (!this.meets('repeated', port, name)) {
      return effect();
    }
    const first = settled(effect);
    if (this.around.dice.chance(0.5)) {
      this.tell(() => `${port} is repeated`);
      return effect();
    }
    this.#straggle(port, effect);
    return first();
  }

  /** A request that the SDK gave up takes effect after all. */
  #straggle(port: string, effect: () => unknown): void {
    const { clock, dice } = this.around;
    clock.at(clock.now() + dice.whole(...STRAGGLES_MS), () => {
      this.tell(() => `${port} takes effect late`);
      this.straggledAtMs = clock.now();
      settled(effect);
    });
  }

  /** Before or after an effect, a worker may freeze or die. The promises of a dead worker never settle. */
  async mayDie(port: string): Promise<void> {
    if (this.lives && (this.isPoisoned || this.meets('crash', port))) {
      this.environment?.struck(this.isPoisoned ? 'poison' : 'crash', this.around.clock.now(), this);
      (this.environment ?? this).die();
    }
    const { clock, dice } = this.around;
    if (this.lives && this.around.faults.strike('freeze', port)) {
      const frozenMs = dice.whole(...FROZEN_MS);
      const atMs = clock.now();
      const untilMs = atMs + frozenMs;
      this.met.push({ fault: 'freeze', atMs, untilMs, port });
      this.environment?.struck('freeze', atMs, this, untilMs);
      (this.environment ?? this).frozenUntilMs = untilMs;
      (this.environment ?? this).blindMs += frozenMs;
      this.tell(() => `freezes for ${this.#stillMs()} ms`);
    }
    await this.#thaw();
    if (!this.lives) {
      await new Promise<never>(() => {});
    }
  }

  die(): void {
    this.kill('crashed');
  }

  #stillMs(): number {
    return (this.environment ?? this).frozenUntilMs - this.around.clock.now();
  }

  /** All of a worker freezes, not only the call that met the failure. */
  async #thaw(): Promise<void> {
    while (this.#stillMs() > 0) {
      await this.around.clock.after(this.#stillMs());
    }
  }

  /** A dead worker gets no response. */
  async hear<T>(answer: () => T): Promise<T> {
    return this.lives ? answer() : new Promise<never>(() => {});
  }

  #refuse(port: string): never {
    this.tell(() => `${port} refused`);
    throw new RefusedError(port);
  }
}

/** AWS refused a call, or its response was lost. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';
}
