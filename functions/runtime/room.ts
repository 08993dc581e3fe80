/** The load of an invocation: records, and bytes of bodies. */
export interface Load {
  readonly records: number;
  readonly bytes: number;
}

/**
 * An attempt has two files open during its DNS lookup and one afterwards, and Lambda allows 1,024. One vCPU
 * delivers fewer records than this at the same time. Source: "Lambda quotas", AWS Lambda Developer Guide.
 */
const MAX_RECORDS = 320;

/** The share of the function's memory for bodies, each of which exists as text, as item and as request. */
const SHARE_OF_MEMORY = 1 / 8;
const BYTES_IN_A_MIB = 1_048_576;

/** An invocation found no room in time: its records are redelivered. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
  constructor(waitedMs: number) {
    super(`other invocations have kept this environment busy for ${waitedMs} ms`);
  }
}

/**
 * Bounds the load of all concurrent invocations of one environment. An invocation without room waits for
 * earlier ones. One that is alone always gets in, so an environment with one invocation at a time never
 * waits.
 */
export class Room {
  readonly #max: Load;
  #inside = 0;
  #records = 0;
  #bytes = 0;
  /** Waiting invocations, in order of arrival. */
  readonly #waiting: { readonly load: Load; readonly enter: () => void }[] = [];

  constructor(max: Load) {
    this.#max = max;
  }

  /** @throws NoRoomError when there is no room within `longestWaitMs`; then `work` was not called */
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
        // It may have been the large one that kept smaller ones waiting behind it.
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

  /**
   * Admits waiting invocations strictly in order, so that smaller ones do not overtake a large one for ever.
   */
  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#hasRoomFor(next.load); ) {
      this.#waiting.shift();
      this.#enter(next.load);
      next.enter();
      next = this.#waiting[0];
    }
  }
}

/** The room of a function, one per environment. */
export function roomIn({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: mib = '512' }: NodeJS.ProcessEnv): Room {
  return new Room({ records: MAX_RECORDS, bytes: Number(mib) * BYTES_IN_A_MIB * SHARE_OF_MEMORY });
}

/** The load of a batch of records. */
export function loadOf(records: readonly { readonly body: string }[]): Load {
  return { records: records.length, bytes: records.reduce((sum, { body }) => sum + body.length, 0) };
}
