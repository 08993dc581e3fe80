import { type AnswerKind, type Answers, NO_ANSWERS } from '../../../core/attempt/answers.ts';
import type { DeliverPorts } from '../ports.ts';

/**
 * Counts the answers of subscriptions whose circuit is draining, and writes them together for many attempts.
 */
export class AnswerCounts {
  readonly #ports: Pick<DeliverPorts, 'countAnswers'>;
  #counts = new Map<string, Answers>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(ports: Pick<DeliverPorts, 'countAnswers'>) {
    this.#ports = ports;
  }

  add(subscriptionId: string, kind: AnswerKind): void {
    const known = this.#counts.get(subscriptionId) ?? NO_ANSWERS;
    this.#counts.set(subscriptionId, { ...known, [kind]: known[kind] + 1 });
  }

  /** Resolves when all that was collected is written, or dropped. */
  flush(): Promise<unknown> {
    const counts = this.#counts;
    this.#counts = new Map();
    this.#writing = Promise.all([
      this.#writing,
      ...[...counts].map(([id, answers]) => this.#ports.countAnswers(id, answers)),
    ]);
    return this.#writing;
  }
}
