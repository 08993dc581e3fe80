import type { Dice } from '../../../load/statistics/dice.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { drawn, LATENCIES } from './latencies.ts';
import type { Meter } from './meter.ts';
import type { Tables } from './tables.ts';

const SUBSCRIPTIONS = 'Subscriptions';

/** What workers call AWS for: how long it takes, and that it was called. */
export class Calls {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly meter: Meter;
  readonly tables: Tables;

  constructor(clock: VirtualClock, dice: Dice, meter: Meter, tables: Tables) {
    this.clock = clock;
    this.dice = dice;
    this.meter = meter;
    this.tables = tables;
  }

  /** A call to DynamoDB; where a partition of an index is full, its answer takes so much longer. */
  async table<T>(kind: keyof typeof LATENCIES, effect: () => T): Promise<T> {
    this.meter.call(kind.replace('OfMany', ''));
    await this.clock.after(drawn(LATENCIES[kind], this.dice));
    const answer = effect();
    const waitMs = this.tables.takeWaitMs();
    if (waitMs > 0) {
      await this.clock.after(waitMs);
    }
    return answer;
  }

  /** Calls, at the same time, for so many items of the table of subscriptions that hold but a few numbers; half a unit each to read. */
  async small<T>(kind: 'GetItem' | 'UpdateItem', items: number, effect: () => T): Promise<T> {
    this.meter.call(kind, items);
    if (kind === 'GetItem') {
      this.meter.read(SUBSCRIPTIONS, items / 2);
    } else {
      this.meter.write(SUBSCRIPTIONS, items);
    }
    await this.clock.after(drawn(LATENCIES[kind], this.dice));
    return effect();
  }

  /** A call to SQS with up to ten records, billed by the 64 KB. */
  async queue(
    kind: 'SendMessageBatch' | 'DeleteMessageBatch',
    isFifo: boolean,
    bytes: number,
    effect: () => void,
  ): Promise<void> {
    this.meter.call(kind);
    const requests = Math.max(1, Math.ceil(bytes / 65_536));
    if (isFifo) {
      this.meter.fifoRequests += requests;
    } else {
      this.meter.standardRequests += requests;
    }
    await this.clock.after(drawn(LATENCIES[kind], this.dice));
    effect();
  }
}
