import type { Dice } from '../../../support/dice.ts';
import type { VirtualClock } from '../../clock/virtual-clock.ts';
import type { Received, Source } from '../queues/queue-record.ts';

/**
 * Lambda takes at most this many records at a time, from a FIFO queue and from any without a batching window.
 */
export const BATCH_SIZE = 10;

/** What a mapping gives its pollers. */
export interface Feed {
  readonly queue: Source;
  /** Whether another batch may be under way. */
  readonly hasRoom: () => boolean;
  /** @param done called once the batch is no longer under way */
  readonly take: (records: readonly Received[], done?: () => void) => void;
}

/** Receives from a queue on behalf of a mapping. */
export interface Polling {
  /** There may be something to receive, or room for it. */
  poll(): void;
}

/** One poller that is late, and does not always see everything: what SQS may do, at its most irregular. */
export class IrregularPolling implements Polling {
  readonly #feed: Feed;
  readonly #clock: VirtualClock;
  readonly #dice: Dice;
  #isPolling = false;

  constructor(feed: Feed, { clock, dice }: { readonly clock: VirtualClock; readonly dice: Dice }) {
    this.#feed = feed;
    this.#clock = clock;
    this.#dice = dice;
  }

  poll(): void {
    const { queue, hasRoom, take } = this.#feed;
    if (this.#isPolling || !hasRoom()) {
      return;
    }
    this.#isPolling = true;
    const dice = this.#dice;
    this.#clock.at(this.#clock.now() + dice.whole(1, 20), () => {
      this.#isPolling = false;
      // Now and then SQS returns less than there is: fewer records, or none of some group.
      const max = dice.chance(0.7) ? BATCH_SIZE : dice.whole(1, BATCH_SIZE);
      const isSparse = dice.chance(0.2);
      const records = queue.receive(max, () => isSparse && dice.chance(0.5));
      if (records.length > 0) {
        take(records);
      }
      if (records.length > 0 || isSparse) {
        this.poll();
      }
    });
  }
}

/**
 * Lambda reads a queue with five pollers, adds 300 a minute while there is more than they take, and goes back
 * to five. Source: "Configuring scaling behavior for SQS event source mappings", AWS Lambda Developer Guide.
 */
const MIN_POLLERS = 5;
const MORE_POLLERS_EACH_SECOND = 5;
const SECOND_MS = 1_000;

/** A poller asks again this long after a response. */
const POLL_MS = 10;

interface Scaling {
  readonly clock: VirtualClock;
  readonly maxPollers: number;
  /** Counts a call that receives. */
  readonly onReceive: () => void;
}

/** As many pollers as Lambda adds under load: what decides how full batches are. */
export class ScalingPolling implements Polling {
  readonly #feed: Feed;
  readonly #scaling: Scaling;
  #pollers = MIN_POLLERS;
  #polling = 0;
  #scaledAtMs = 0;

  constructor(feed: Feed, scaling: Scaling) {
    this.#feed = feed;
    this.#scaling = scaling;
  }

  poll(): void {
    const { queue, hasRoom, take } = this.#feed;
    const { clock, onReceive } = this.#scaling;
    while (queue.hasAvailable && hasRoom()) {
      if (this.#polling >= this.#pollers && !this.#scaled()) {
        return;
      }
      this.#polling += 1;
      onReceive();
      const again = () => {
        this.#polling -= 1;
        this.poll();
      };
      const records = queue.receive(BATCH_SIZE);
      clock.at(clock.now() + POLL_MS, again);
      if (records.length > 0) {
        take(records);
      }
    }
    if (!queue.hasAvailable && this.#polling === 0) {
      this.#pollers = MIN_POLLERS;
    }
  }

  #scaled(): boolean {
    const { clock, maxPollers } = this.#scaling;
    const nowMs = clock.now();
    if (nowMs - this.#scaledAtMs < SECOND_MS || this.#pollers >= Math.max(MIN_POLLERS, maxPollers)) {
      return false;
    }
    this.#scaledAtMs = nowMs;
    this.#pollers += MORE_POLLERS_EACH_SECOND;
    return true;
  }
}
