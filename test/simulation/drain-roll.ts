import type { VirtualClock } from './virtual-clock.ts';

/** The items in which drains say, second by second, that they are there. */
export class DrainRoll {
  readonly #clock: Pick<VirtualClock, 'now'>;
  readonly #said = new Map<number, number>();

  constructor(clock: Pick<VirtualClock, 'now'>) {
    this.#clock = clock;
  }

  say(): void {
    const second = this.#second();
    this.#said.set(second, (this.#said.get(second) ?? 0) + 1);
  }

  heard(): number {
    const second = this.#second();
    return Math.max(this.#said.get(second) ?? 0, this.#said.get(second - 1) ?? 0);
  }

  #second(): number {
    return Math.floor(this.#clock.now() / 1_000);
  }
}
