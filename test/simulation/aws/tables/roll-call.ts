import { type Answers, NO_ANSWERS } from '../../../../functions/core/attempt/answers.ts';
import type { SlowAttempts } from '../../../../functions/core/circuit/crowding.ts';
import type { VirtualClock } from '../../clock/virtual-clock.ts';

const DRAINS = 'drains';
const SLOW = 'slow';

/**
 * What workers count together in small items: drains and slow attempts per second, and responses for ever.
 */
export class RollCall {
  readonly #clock: Pick<VirtualClock, 'now'>;
  readonly #said = new Map<string, number>();
  readonly #answers = new Map<string, Answers>();

  constructor(clock: Pick<VirtualClock, 'now'>) {
    this.#clock = clock;
  }

  sayDrain(): void {
    this.#say(DRAINS, 1);
  }

  drains(): number {
    return this.#heard(DRAINS);
  }

  recovering(serviceId: string): number {
    const name = `recoveries ${serviceId}`;
    return Math.max(this.#say(name, 1), this.#heard(name));
  }

  saySlow(own: ReadonlyMap<string, number>): Map<string, SlowAttempts> {
    const all = this.#say(
      SLOW,
      [...own.values()].reduce((sum, count) => sum + count, 0),
    );
    return new Map([...own].map(([id, count]) => [id, { own: this.#say(`${SLOW} ${id}`, count), all }]));
  }

  slowAttempts(subscriptionId: string): SlowAttempts {
    return { own: this.#heard(`${SLOW} ${subscriptionId}`), all: this.#heard(SLOW) };
  }

  countAnswers(subscriptionId: string, more: Answers): void {
    const known = this.answers(subscriptionId);
    this.#answers.set(subscriptionId, {
      succeeded: known.succeeded + more.succeeded,
      refused: known.refused + more.refused,
      overloaded: known.overloaded + more.overloaded,
      unwell: known.unwell + more.unwell,
    });
  }

  answers(subscriptionId: string): Answers {
    return this.#answers.get(subscriptionId) ?? NO_ANSWERS;
  }

  #say(name: string, count: number): number {
    const item = `${name} ${this.#second()}`;
    const sum = (this.#said.get(item) ?? 0) + count;
    this.#said.set(item, sum);
    return sum;
  }

  #heard(name: string): number {
    const second = this.#second();
    return Math.max(...[second - 1, second].map((one) => this.#said.get(`${name} ${one}`) ?? 0));
  }

  #second(): number {
    return Math.floor(this.#clock.now() / 1_000);
  }
}
