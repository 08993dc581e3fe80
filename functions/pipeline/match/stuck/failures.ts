import { type PaymentName, paymentKey } from '../../../core/sequence/payment-sequence.ts';
import { failsForItself, type MatchStep } from '../../../core/stuck/stuck-payments.ts';
import type { Intake } from '../ports.ts';

/** The first event of a payment that failed in a batch. */
export interface Failure {
  readonly payment: PaymentName;
  readonly intake: Intake;
  readonly step: MatchStep;
  readonly error: unknown;
}

/** Which step failed for which payment of a batch, and who got through which. */
export class Failures {
  readonly #failed: Failure[] = [];
  readonly #passed: { readonly step: MatchStep; readonly payment: PaymentName }[] = [];

  failed(failure: Failure): void {
    this.#failed.push(failure);
  }

  passed(step: MatchStep, payment: PaymentName): void {
    this.#passed.push({ step, payment });
  }

  /** Of each payment that fails for itself, the first. */
  ofThemselves(): Failure[] {
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
