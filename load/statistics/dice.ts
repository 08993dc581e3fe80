/** Draws that a seed determines. Source: mulberry32 by Tommy Ettinger, public domain. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 to 1, without 1. */
  draw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.draw() < probability;
  }

  /** A whole number, both ends included. */
  whole(least: number, max: number): number {
    return least + Math.floor(this.draw() * (max - least + 1));
  }
}
