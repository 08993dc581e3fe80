import type { Dice } from '../../load/dice.ts';
import type { Fault, Faults } from './faults.ts';
import type { Received } from './queue-record.ts';
import type { Timer, VirtualClock } from './virtual-clock.ts';

/**
 * What a stalled request takes there, and its answer back. Visibility outlasts each function by half a minute: what a killed worker has
 * under way must have happened by then.
 */
const STALLED_MS = [10_000, 28_000] as const;

/** `failed`: it threw; the last two: it was killed, and nothing it would still do has an effect. */
export type Ending = 'ended' | 'failed' | 'crashed' | 'timed_out';

/** A message that was asked for once more. */
export interface Asked {
  readonly atMs: number;
  /** The name of a worker, or of whoever it was. */
  readonly by: string;
  readonly messageId: string;
}

/** What each invocation needs of its world. */
export interface Surroundings {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly faults: Faults;
  /** How far the next worker's clock is behind those of SQS and of the publishers. */
  readonly behindMs: () => number;
  /** An id that nobody else has. */
  readonly newId: () => string;
  /** What was asked for, in order: it grows with time. */
  readonly asked: Asked[];
  /** Adds a line to the story of the run. */
  readonly tell: (line: () => string) => void;
}

/** One invocation of a worker: its calls take time, may go wrong, and stop meaning anything when it is killed. */
export class Invocation {
  readonly name: string;
  readonly startedAtMs: number;
  endedAtMs: number | undefined;
  ending: Ending | undefined;
  error: unknown;
  /** Which faults this invocation has met: only they excuse what it leaves undone. */
  readonly met = new Set<Fault>();
  readonly around: Surroundings;
  /** What it was given to do. */
  readonly records: readonly Received[];
  readonly newId: () => string;
  readonly #behindMs: number;
  readonly #whenKilled: () => void;
  #timeout: Timer | undefined;

  constructor(name: string, around: Surroundings, whenKilled: () => void, records: readonly Received[] = []) {
    this.name = name;
    this.around = around;
    this.records = records;
    this.newId = around.newId;
    this.startedAtMs = around.clock.now();
    this.#behindMs = around.behindMs();
    this.#whenKilled = whenKilled;
  }

  /** What it takes for the time, in ms since 1970. */
  readonly workersTime = (): number => this.around.clock.now() - this.#behindMs;

  /** Unless it ends before, it is killed by this. */
  endsAt(timeout: Timer): void {
    this.#timeout = timeout;
  }

  end(ending: Ending): void {
    this.ending = ending;
    this.endedAtMs = this.around.clock.now();
    if (this.#timeout !== undefined) {
      this.#timeout.act = undefined;
    }
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

  readonly tell = (line: () => string): void => {
    this.around.tell(() => `${this.name}: ${line()}`);
  };

  /** Resolves after so many ms, for one who lives then. */
  readonly after = async (ms: number): Promise<void> => {
    await this.around.clock.after(ms);
    await this.hear(() => undefined);
  };

  readonly meets = (fault: Fault): boolean => {
    const struck = this.around.faults.strike(fault);
    if (struck) {
      this.met.add(fault);
    }
    return struck;
  };

  /**
   * A call through a port. The effect happens also when the worker is killed while the request is on its way; the answer is heard only by
   * one who lives.
   *
   * @param rejects whether the port may reject at all
   */
  async call<T>(port: string, effect: () => T, { rejects }: { rejects: boolean }): Promise<T> {
    await this.mayDie();
    const { clock, dice } = this.around;
    const wayMs = this.meets('stall') ? dice.whole(...STALLED_MS) : dice.whole(1, 10);
    const refused = rejects && this.meets('reject');
    const answerIsLost = refused && dice.chance(0.5);
    await clock.after(wayMs);
    if (refused && !answerIsLost) {
      return this.hear(() => this.#refuse(port));
    }
    const outcome = settled(effect);
    await this.mayDie();
    await clock.after(wayMs);
    return this.hear(() => (answerIsLost ? this.#refuse(port) : outcome()));
  }

  /** A call to tables, which may be out of reach. */
  callTable<T>(port: string, effect: () => T): Promise<T> {
    const reach = () => (this.meets('outage') ? this.#refuse(port) : effect());
    return this.call(port, reach, { rejects: true });
  }

  /** The instant before or after an effect: a worker may die here, and then its promises never end. */
  async mayDie(): Promise<void> {
    if (this.lives && this.meets('crash')) {
      this.kill('crashed');
    }
    if (!this.lives) {
      await new Promise<never>(() => {});
    }
  }

  /** Whoever is dead hears no answer. */
  async hear<T>(answer: () => T): Promise<T> {
    return this.lives ? answer() : new Promise<never>(() => {});
  }

  #refuse(port: string): never {
    this.tell(() => `${port} refused`);
    throw new RefusedError(port);
  }
}

/** AWS did not do what was asked, or did not say that it had. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

function settled<T>(effect: () => T): () => T {
  try {
    const value = effect();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
