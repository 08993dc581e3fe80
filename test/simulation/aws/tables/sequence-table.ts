import { type Item, marshalled } from '../../../../functions/adapters/dynamodb/marshalled.ts';
import { heldItem } from '../../../../functions/adapters/dynamodb/sequences/held-event-item.ts';
import { RefusedError } from '../../../../functions/core/errors/refused-error.ts';
import { inMemorySequences } from '../../../../functions/core/sequence/in-memory-sequences.ts';
import { type PaymentSequence, paymentKey } from '../../../../functions/core/sequence/payment-sequence.ts';
import type { HeldEvent, SequenceStore } from '../../../../functions/core/sequence/ports.ts';
import type { Overdue } from '../../../../functions/core/signal/overdue.ts';
import { inMemoryStuck } from '../../../../functions/core/stuck/in-memory-stuck.ts';
import type { StuckPayment } from '../../../../functions/core/stuck/ports.ts';
import { DueIndex, type DueOptions, nameOf } from './due-index.ts';

/** Payments with numbered events: reads are strongly consistent, the index of what is due lags. */
export class SequenceTable implements SequenceStore {
  readonly #store = inMemorySequences();
  readonly #due: DueIndex;
  readonly stuck: ReturnType<typeof inMemoryStuck>;
  stuckPayments = 0;

  readonly sequencesOf = this.#store.sequencesOf;
  readonly held = this.#store.held;
  readonly drop = this.#store.drop;

  constructor(options: DueOptions, whenStuck: (payment: StuckPayment) => void = () => {}) {
    const stuck = inMemoryStuck();
    const count = () => {
      this.stuckPayments += 1;
    };
    this.stuck = {
      ...stuck,
      async setAside(...given) {
        const isWritten = await stuck.setAside(...given);
        const [, , , payment] = given;
        if (isWritten && payment !== undefined) {
          count();
          whenStuck(payment);
        }
        return isWritten;
      },
    };
    this.#due = new DueIndex(options, 'sequences');
  }

  get all(): readonly PaymentSequence[] {
    return [...this.#store.payments.values()];
  }

  async hold(held: HeldEvent): Promise<void> {
    refuseUnstorable(heldItem(held));
    await this.#store.hold(held);
  }

  async advance(...given: Parameters<SequenceStore['advance']>): Promise<PaymentSequence | undefined> {
    const [, next, gap] = given;
    refuseUnstorable({ ...next, ...gap });
    const written = await this.#store.advance(...given);
    if (written !== undefined) {
      this.#index(paymentKey(written));
    }
    return written;
  }

  /** As the index shows it. */
  overdue(until: string): readonly Overdue[] {
    return this.#due.until(until);
  }

  get checks() {
    return this.#due.checks;
  }

  moveOverdue(overdue: Overdue, to: string): boolean {
    const key = nameOf(overdue);
    const gap = this.#store.gaps.get(key);
    if (gap === undefined || (gap.check_at !== overdue.checkAt && gap.check_at !== to)) {
      return false;
    }
    this.#store.gaps.set(key, { ...gap, check_at: to });
    this.#index(key);
    return true;
  }

  #index(key: string): void {
    const gap = this.#store.gaps.get(key);
    this.#due.write(key, gap && { timer: gap.timer, dueAt: gap.due_at, checkAt: gap.check_at });
  }
}

/** Source: "Quotas in Amazon DynamoDB", Amazon DynamoDB Developer Guide. */
const LARGEST_ITEM_BYTES = 400 * 1024;

/** @throws RefusedError when DynamoDB would refuse the item: for its size, or for what no item can hold */
function refuseUnstorable(item: Item): void {
  const bytes = JSON.stringify(marshalled(item)).length;
  if (bytes > LARGEST_ITEM_BYTES) {
    throw new RefusedError(`an item of ${bytes} bytes, of at most ${LARGEST_ITEM_BYTES}`);
  }
}
