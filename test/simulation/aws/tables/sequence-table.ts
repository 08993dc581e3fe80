import type { Overdue } from '../../../../functions/core/ordering/overdue.ts';
import { inMemorySequences } from '../../../../functions/core/sequence/in-memory-sequences.ts';
import type { PaymentSequence } from '../../../../functions/core/sequence/payment-sequence.ts';
import { paymentKey } from '../../../../functions/core/sequence/payment-sequence.ts';
import type { SequenceStore } from '../../../../functions/core/sequence/ports.ts';
import { LaggingIndex } from './lagging-index.ts';

interface Options {
  readonly now: () => number;
  readonly lagMs: () => number;
  /** Sweep has to look at the due index then. */
  readonly whenDue?: (checkAt: string, visibleAtMs: number) => void;
}

type DueGap = Extract<Overdue, { readonly kind: 'gap' }>;

/** Payments with numbered events: reads are strongly consistent, the index of what is due lags. */
export class SequenceTable implements SequenceStore {
  readonly #store = inMemorySequences();
  readonly #due: LaggingIndex<DueGap>;

  readonly sequencesOf = this.#store.sequencesOf;
  readonly hold = this.#store.hold;
  readonly held = this.#store.held;
  readonly drop = this.#store.drop;

  constructor({ now, lagMs, whenDue }: Options) {
    this.#due = new LaggingIndex({
      now,
      lagMs,
      sortOf: ({ checkAt }) => checkAt,
      whenWritten: ({ checkAt }, visibleAtMs) => whenDue?.(checkAt, visibleAtMs),
    });
  }

  get all(): readonly PaymentSequence[] {
    return [...this.#store.payments.values()];
  }

  async advance(...given: Parameters<SequenceStore['advance']>): Promise<PaymentSequence | undefined> {
    const written = await this.#store.advance(...given);
    if (written !== undefined) {
      this.#index(written);
    }
    return written;
  }

  /** As the index shows it. */
  get due(): readonly DueGap[] {
    return this.#due.items;
  }

  /** When sweep has to look at the due index, and from when on there is something to see. */
  get checks(): readonly { readonly checkAt: string; readonly visibleAtMs: number }[] {
    return this.#due.outlook.map(({ item, visibleAtMs }) => ({ checkAt: item.checkAt, visibleAtMs }));
  }

  moveCheck(key: string, from: string, to: string): boolean {
    const stored = this.#store.payments.get(key);
    const gap = this.#store.gaps.get(key);
    if (stored === undefined || gap?.check_at !== from) {
      return false;
    }
    this.#store.gaps.set(key, { ...gap, check_at: to });
    this.#index(stored);
    return true;
  }

  #index(payment: PaymentSequence): void {
    const key = paymentKey(payment);
    const gap = this.#store.gaps.get(key);
    this.#due.write(
      key,
      gap && { kind: 'gap', payment: { ...payment, due_at: gap.due_at }, checkAt: gap.check_at },
    );
  }
}
