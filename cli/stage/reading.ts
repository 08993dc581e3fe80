import type { RedrivePorts } from '../operator/redrive/dead-letter.ts';
import { type DeadLetter, ORIGINAL } from '../operator/redrive/dead-letter.ts';
import type { ReadDeadLetter } from '../operator/redrive/read-dead-letter.ts';

/** SQS may return nothing although there is something: this many empty answers in a row count. */
const EMPTY_ANSWERS = 2;
/** How far the clocks of this machine and of SQS may differ. */
const CLOCK_SKEW_MS = 60_000;

/** The records that a run has received, hidden from others until it gives them back. */
export class Reading {
  readonly #ports: RedrivePorts;
  readonly #read: ReadDeadLetter;
  readonly #onSeen: (count: number) => void;
  readonly #held = new Map<string, DeadLetter>();
  readonly #seen = new Map<string, DeadLetter>();
  readonly #returned = new Map<string, DeadLetter>();
  readonly #putBackAtMs = new Map<string, number>();

  constructor(ports: RedrivePorts, read: ReadDeadLetter, onSeen: (count: number) => void) {
    this.#ports = ports;
    this.#read = read;
    this.#onSeen = onSeen;
  }

  get seen(): readonly DeadLetter[] {
    return [...this.#seen.values()];
  }

  /** What was put back and is here again: dead-lettered at once. */
  get returned(): readonly DeadLetter[] {
    return [...this.#returned.values()];
  }

  /** Receives until nothing more comes, or `max` have been seen. */
  async look(max: number): Promise<void> {
    for (let empty = 0; empty < EMPTY_ANSWERS && this.#seen.size < max; ) {
      const deadLetters = await this.#receive();
      empty = deadLetters.length === 0 ? empty + 1 : 0;
      for (const deadLetter of deadLetters) {
        this.#seen.set(deadLetter.received.recordId, deadLetter);
      }
      this.#onSeen(this.#seen.size);
    }
  }

  /** Receives once and notes what has returned. Resolves to whether there was anything. */
  async lookForReturned(): Promise<boolean> {
    const deadLetters = await this.#receive();
    for (const deadLetter of deadLetters) {
      const { recordId, body, sentAtMs } = deadLetter.received;
      const putBackAtMs = this.#putBackAtMs.get(body) ?? Number.POSITIVE_INFINITY;
      if (!this.#seen.has(recordId) && sentAtMs >= putBackAtMs - CLOCK_SKEW_MS) {
        this.#returned.set(recordId, deadLetter);
      }
    }
    return deadLetters.length > 0;
  }

  async #receive(): Promise<DeadLetter[]> {
    const deadLetters = (await this.#ports.receive()).map(this.#read);
    for (const deadLetter of deadLetters) {
      this.#held.set(deadLetter.received.recordId, deadLetter);
    }
    return deadLetters;
  }

  /** Notes what was sent, to recognize it should it come back. */
  sent(deadLetters: readonly DeadLetter[], atMs: number): void {
    for (const { goes } of deadLetters) {
      this.#putBackAtMs.set(goes.body, atMs);
    }
  }

  /** They are no longer among the dead letters. */
  gone(deadLetters: readonly DeadLetter[]): void {
    for (const { received } of deadLetters) {
      this.#held.delete(received.recordId);
    }
  }

  /** About how many more there are. */
  async unseen(): Promise<number> {
    return Math.max(0, (await this.#ports.count()) - this.#held.size);
  }

  /** Unfolds what was received, so that SQS shows what is behind it. False if there was nothing to unfold. */
  async takeApart(): Promise<boolean> {
    const whole = [...this.#held.values()].filter(({ received }) => !(ORIGINAL.group in received.attributes));
    await this.#ports.takeApart(whole);
    this.gone(whole);
    for (const { received } of whole) {
      this.#seen.delete(received.recordId);
    }
    return whole.length > 0;
  }

  async giveAllBack(): Promise<void> {
    await this.#ports.giveBack([...this.#held.values()].map(({ received }) => received));
  }
}
