import { type PaymentName, paymentKey } from '../../core/sequence/payment-sequence.ts';
import { failsForItself, type MatchStep } from '../../core/stuck/stuck-payments.ts';
import type { DeadEvent, Intake } from './ports.ts';

/** What comes of a record: it may leave the queue, is redelivered, or is dead-lettered. */
export type Result = 'done' | 'again' | DeadEvent;

/** An event of a payment that failed in a batch. */
export interface Failure {
  readonly payment: PaymentName;
  readonly intake: Intake;
  readonly step: MatchStep;
  readonly error: unknown;
}

/** What comes of the records of a batch, and which step failed for which payment. */
export class Results {
  readonly #of = new Map<Intake, Result>();
  readonly #failed: Failure[] = [];
  readonly #passed: { readonly step: MatchStep; readonly payment: PaymentName }[] = [];

  /** `done` unless a step says otherwise. */
  of(intake: Intake): Result {
    return this.#of.get(intake) ?? 'done';
  }

  done(intake: Intake): void {
    this.#of.delete(intake);
  }

  again(intakes: Iterable<Intake>): void {
    for (const intake of intakes) {
      this.#of.set(intake, 'again');
    }
  }

  /** What is redelivered anyway is refused then. */
  dead(dead: readonly DeadEvent[]): void {
    for (const one of dead) {
      if (this.of(one.intake) !== 'again') {
        this.#of.set(one.intake, one);
      }
    }
  }

  get allAgain(): Intake[] {
    return [...this.#of].flatMap(([intake, result]) => (result === 'again' ? [intake] : []));
  }

  get allDead(): DeadEvent[] {
    return [...this.#of.values()].flatMap((result) => (typeof result === 'object' ? [result] : []));
  }

  failed(failure: Failure): void {
    this.#failed.push(failure);
  }

  passed(step: MatchStep, payment: PaymentName): void {
    this.#passed.push({ step, payment });
  }

  get hasFailures(): boolean {
    return this.#failed.length > 0;
  }

  /** Of each payment that fails for itself, the first failure. */
  failuresOfThemselves(): Failure[] {
    const byPayment = Map.groupBy(this.#failed, ({ payment }) => paymentKey(payment));
    return [...byPayment].flatMap(([key, [first]]) => {
      const byOthers = this.#passed.filter(({ payment }) => paymentKey(payment) !== key);
      const isOwn =
        first !== undefined &&
        failsForItself({ ...first.intake, step: first.step }, new Set(byOthers.map(({ step }) => step)));
      return isOwn ? [first] : [];
    });
  }
}
