import { createHash } from 'node:crypto';
import type { VirtualClock } from '../virtual-clock.ts';

/** Source: Amazon SQS Developer Guide, "Exactly-once processing". */
const REMEMBERS_MS = 5 * 60_000;

/** What a FIFO queue remembers of the ids sent to it, by group as in high-throughput mode. */
export class Deduplication {
  readonly #clock: VirtualClock;
  readonly #seenAtMs = new Map<string, number>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Whether it repeats what came in the last five minutes; if not, it is remembered from now on. Without an id its content is the id. */
  isRepeat(entry: {
    readonly body: string;
    readonly group: string;
    readonly deduplicationId?: string;
  }): boolean {
    const id = entry.deduplicationId ?? createHash('sha256').update(entry.body).digest('hex');
    const key = `${entry.group} ${id}`;
    const nowMs = this.#clock.now();
    const isRepeat = nowMs - (this.#seenAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < REMEMBERS_MS;
    if (!isRepeat) {
      this.#seenAtMs.set(key, nowMs);
    }
    return isRepeat;
  }
}
