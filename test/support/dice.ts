/** Seeded random numbers. Source: mulberry32 by Tommy Ettinger, public domain. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 up to, but not including, 1. */
  draw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.draw() < probability;
  }

  /** A whole number between both bounds, bounds included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.draw() * (max - min + 1));
  }
}
