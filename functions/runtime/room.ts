/** What an invocation has in hand: records, and bytes of bodies. */
export interface Load {
  readonly records: number;
  readonly bytes: number;
}

/**
 * So many records at a time. An attempt that looks up a name has two files open, one that is connected has one, and Lambda allows 1,024 of them; one vCPU delivers fewer
 * than that at the same time. Source: "Lambda quotas", AWS Lambda Developer Guide.
 */
const MAX_RECORDS = 320;

/** Of the function's memory: a body is there as text, as item and as request. */
const SHARE_OF_MEMORY = 1 / 8;
const BYTES_IN_A_MIB = 1_048_576;

/** There was no room for an invocation in time: its records come again. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
  constructor(waitedMs: number) {
    super(`others have kept this environment busy for ${waitedMs} ms`);
  }
}

/**
 * A bound on what the invocations of one environment have in hand together. Whoever finds no room waits for those before it; who is alone always gets in, so an environment
 * with one invocation at a time never waits.
 */
export class Room {
  readonly #max: Load;
  #inside = 0;
  #records = 0;
  #bytes = 0;
  /** Who waits, in the order in which they came. */
  readonly #waiting: { readonly load: Load; readonly enter: () => void }[] = [];

  constructor(max: Load) {
    this.#max = max;
  }

  /** @throws NoRoomError when there is no room within so long; then nothing was done */
  async hold<T>(load: Load, longestWaitMs: number, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#hasRoomFor(load)) {
      await this.#turn(load, longestWaitMs);
    } else {
      this.#enter(load);
    }
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#records -= load.records;
      this.#bytes -= load.bytes;
      this.#admit();
    }
  }

  #hasRoomFor({ records, bytes }: Load): boolean {
    return (
      this.#inside === 0 ||
      (this.#records + records <= this.#max.records && this.#bytes + bytes <= this.#max.bytes)
    );
  }

  #enter({ records, bytes }: Load): void {
    this.#inside += 1;
    this.#records += records;
    this.#bytes += bytes;
  }

  #turn(load: Load, longestWaitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new NoRoomError(longestWaitMs));
        // It may have been the one that was too large.
        this.#admit();
      }, longestWaitMs);
      const waiting = {
        load,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiting.push(waiting);
    });
  }

  /** Lets those in who are next, one after the other: a large one is not overtaken for ever. */
  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#hasRoomFor(next.load); ) {
      this.#waiting.shift();
      this.#enter(next.load);
      next.enter();
      next = this.#waiting[0];
    }
  }
}

/** The room that a function has. One for each environment. */
export function roomIn({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: mib = '512' }: NodeJS.ProcessEnv): Room {
  return new Room({ records: MAX_RECORDS, bytes: Number(mib) * BYTES_IN_A_MIB * SHARE_OF_MEMORY });
}

/** Of records as they came. */
export function loadOf(records: readonly { readonly body: string }[]): Load {
  return { records: records.length, bytes: records.reduce((sum, { body }) => sum + body.length, 0) };
}
