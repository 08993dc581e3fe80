import type { Dice } from '../../../support/dice.ts';
import type { VirtualClock } from '../../clock/virtual-clock.ts';
import { drawn, LATENCIES } from './latencies.ts';
import type { Meter } from './meter.ts';

/**
 * Our own CPU time on the healthy path is under a millisecond per webhook; parsing and the runtime add to it.
 */
const OWN_MS_EACH_BATCH = 2;
const OWN_MS_EACH_RECORD = 1;

interface Options {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly meter: Meter;
  readonly memoryGb: number;
}

/** How long Lambda and a function take for a batch, and what they cost. */
export class FunctionUsage {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** A call that Lambda makes for the function. */
  call(kind: 'ReceiveMessage' | 'DeleteMessageBatch', isFifo: boolean): void {
    const { meter } = this.#options;
    meter.call(`lambda:${kind}`);
    meter.request(isFifo);
  }

  /** From the queue to the start of the handler. */
  handOverMs(): number {
    return drawn(LATENCIES.handOver, this.#options.dice);
  }

  ownMs(records: number): number {
    return OWN_MS_EACH_BATCH + OWN_MS_EACH_RECORD * records;
  }

  deletionMs(): number {
    return drawn(LATENCIES.DeleteMessageBatch, this.#options.dice);
  }

  ended(startedAtMs: number): void {
    const { clock, meter, memoryGb } = this.#options;
    meter.invocations += 1;
    meter.gbSeconds += (Math.ceil(clock.now() - startedAtMs) / 1_000) * memoryGb;
  }
}
