import { POLLER, type Pollers } from '../../../../lib/pollers.ts';
import type { Dice } from '../../../support/dice.ts';
import type { Timer, VirtualClock } from '../../clock/virtual-clock.ts';
import { BATCH_SIZE, type Feed, type Polling } from './polling.ts';

const SECOND_MS = 1_000;
/**
 * Lambda sees a growing backlog "within seconds", and adds up to 1,000 invocations a minute. When it takes
 * pollers away it does not say. Source: "Configuring scaling behavior for SQS event source mappings", AWS
 * Lambda Developer Guide.
 */
const NOTICED_AFTER_MS = 2_000;
const ONE_MORE_EACH_MS = (60_000 * POLLER.invocations) / 1_000;
const CALM_AFTER_MS = 60_000;

interface Options {
  readonly clock: VirtualClock;
  readonly pollers: Pollers;
  /** Counts a call that receives. */
  readonly onReceive: () => void;
  /**
   * What AWS leaves open is then up to chance: a poller may make its ten receives of a second one after the
   * other, and does not always see everything.
   *
   * @default - ten times a second, evenly
   */
  readonly dice?: Dice | undefined;
}

interface Poller {
  /** Its last ten receives, the oldest first. */
  readonly receivedAtMs: number[];
  busy: number;
}

/**
 * Provisioned pollers: each makes ten receives a second at most and holds ten invocations, so records wait for
 * each other and share batches.
 */
export class ProvisionedPolling implements Polling {
  readonly #feed: Feed;
  readonly #options: Options;
  readonly #pollers: Poller[] = [];
  #alarm: Timer | undefined;
  /** When the pollers last took all that they could see. */
  #keptUpAtMs: number;
  #addedAtMs = 0;

  constructor(feed: Feed, options: Options) {
    this.#feed = feed;
    this.#options = options;
    this.#keptUpAtMs = options.clock.now();
    this.#resize(options.pollers.minimum);
  }

  poll(): void {
    const { queue } = this.#feed;
    const { clock } = this.#options;
    for (;;) {
      const nowMs = clock.now();
      if (!queue.hasAvailable) {
        this.#keptUp(nowMs);
        return;
      }
      this.#scale(nowMs);
      const next = this.#pollers
        .filter(({ busy }) => busy < POLLER.invocations)
        .map((poller) => ({ poller, atMs: this.#mayReceiveAt(poller) }))
        .reduce<{ poller: Poller; atMs: number } | undefined>(
          (first, one) => (first === undefined || one.atMs < first.atMs ? one : first),
          undefined,
        );
      if (next === undefined || next.atMs > nowMs) {
        this.#pollAgainAt(Math.min(next?.atMs ?? Number.POSITIVE_INFINITY, nowMs + ONE_MORE_EACH_MS));
        return;
      }
      this.#receive(next.poller, nowMs);
    }
  }

  #receive(poller: Poller, nowMs: number): void {
    const { queue, take } = this.#feed;
    const { dice, onReceive } = this.#options;
    poller.receivedAtMs.push(nowMs);
    if (poller.receivedAtMs.length > POLLER.receivesPerSecond) {
      poller.receivedAtMs.shift();
    }
    onReceive();
    const isSparse = dice?.chance(0.2) ?? false;
    const records = queue.receive(BATCH_SIZE, () => isSparse && dice!.chance(0.5));
    if (records.length < BATCH_SIZE) {
      this.#keptUp(nowMs);
    }
    if (records.length > 0) {
      poller.busy += 1;
      take(records, () => {
        poller.busy -= 1;
      });
    }
  }

  #mayReceiveAt({ receivedAtMs }: Poller): number {
    const { receivesPerSecond } = POLLER;
    if (this.#options.dice === undefined) {
      return (receivedAtMs.at(-1) ?? Number.NEGATIVE_INFINITY) + SECOND_MS / receivesPerSecond;
    }
    return receivedAtMs.length < receivesPerSecond ? 0 : receivedAtMs[0]! + SECOND_MS;
  }

  #keptUp(nowMs: number): void {
    this.#keptUpAtMs = nowMs;
    if (nowMs - this.#addedAtMs > CALM_AFTER_MS) {
      this.#resize(this.#options.pollers.minimum);
    }
  }

  #scale(nowMs: number): void {
    if (
      nowMs - this.#keptUpAtMs >= NOTICED_AFTER_MS &&
      nowMs - this.#addedAtMs >= ONE_MORE_EACH_MS &&
      this.#pollers.length < this.#options.pollers.maximum
    ) {
      this.#addedAtMs = nowMs;
      this.#resize(this.#pollers.length + 1);
    }
  }

  #resize(count: number): void {
    while (this.#pollers.length < count) {
      this.#pollers.push({ receivedAtMs: [], busy: 0 });
    }
    this.#pollers.length = count;
  }

  #pollAgainAt(atMs: number): void {
    const { clock } = this.#options;
    clock.cancel(this.#alarm);
    this.#alarm = clock.at(atMs, () => this.poll());
  }
}
