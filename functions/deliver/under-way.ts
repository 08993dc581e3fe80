import type { Subscription } from '../core/subscription.ts';
import type { Standings } from './standings.ts';

interface UnderWayAttempt {
  readonly subscription: Subscription;
  readonly key: string;
  readonly startedAtMs: number;
}

/** The attempts of a batch that are under way: of one that hangs its circuit hears while it does, not only when it has ended. */
export class UnderWay {
  readonly #standings: Pick<Standings, 'tell'>;
  readonly #slowMs: number;
  readonly #untold = new Set<UnderWayAttempt>();
  readonly #telling: Promise<unknown>[] = [];

  constructor(standings: Pick<Standings, 'tell'>, slowMs: number) {
    this.#standings = standings;
    this.#slowMs = slowMs;
  }

  /** Watches over an attempt until it has ended. */
  async watch<T>(attempt: UnderWayAttempt, end: Promise<T>): Promise<T> {
    this.#untold.add(attempt);
    try {
      return await end;
    } finally {
      this.#untold.delete(attempt);
    }
  }

  /** Tells, once for each attempt, of those that are slow by now. Waits for nothing, and nothing has to wait for it. */
  tellUnanswered(nowMs: number): void {
    const slow = [...this.#untold].filter(({ startedAtMs }) => nowMs - startedAtMs > this.#slowMs);
    for (const attempt of slow) {
      this.#untold.delete(attempt);
    }
    // Those of one subscription together: that is one write.
    for (const [subscription, attempts] of Map.groupBy(slow, (attempt) => attempt.subscription)) {
      const inputs = attempts.map(({ key }) => ({ kind: 'unanswered', key }) as const);
      this.#telling.push(this.#standings.tell(subscription, inputs));
    }
  }

  /** Resolves when all that was told is written, or dropped. */
  async told(): Promise<void> {
    await Promise.all(this.#telling);
  }
}
