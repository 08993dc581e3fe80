import type { PaymentEvent } from '../../core/event/event.ts';

/** How many payments a worker remembers. */
const REMEMBERED = 10_000;

/** An event that came behind one of its payment that happened later. */
export interface Inversion {
  readonly event: PaymentEvent;
  /** By how much, in ms. */
  readonly byMs: number;
}

/**
 * Finds events without a number that come in another order than they happened. A worker knows what it has
 * seen itself, so this finds most of them, not all.
 */
export class Inversions {
  readonly #latestMs = new Map<string, number>();

  of(events: readonly PaymentEvent[]): Inversion[] {
    return events
      .filter(({ sequence }) => sequence === undefined)
      .flatMap((event) => {
        const payment = `${event.service_id} ${event.payment_id}`;
        const occurredMs = Date.parse(event.occurred_at);
        const latestMs = this.#latestMs.get(payment) ?? occurredMs;
        this.#latestMs.delete(payment);
        this.#latestMs.set(payment, Math.max(latestMs, occurredMs));
        const [oldest] = this.#latestMs.keys();
        if (this.#latestMs.size > REMEMBERED && oldest !== undefined) {
          this.#latestMs.delete(oldest);
        }
        return occurredMs < latestMs ? [{ event, byMs: latestMs - occurredMs }] : [];
      });
  }
}
