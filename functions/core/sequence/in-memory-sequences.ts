import { type PaymentSequence, paymentKey } from './payment-sequence.ts';
import type { Gap, HeldEvent, HeldName, SequenceStore } from './ports.ts';

/** Keeps the promises of the port. */
export function inMemorySequences(): SequenceStore & {
  readonly payments: Map<string, PaymentSequence>;
  readonly waiting: Map<string, HeldEvent>;
  readonly gaps: Map<string, Gap>;
} {
  const payments = new Map<string, PaymentSequence>();
  const waiting = new Map<string, HeldEvent>();
  const gaps = new Map<string, Gap>();
  const nameOf = (name: HeldName) => `${paymentKey(name)} ${name.sequence} ${name.event_id}`;
  return {
    payments,
    waiting,
    gaps,
    async sequencesOf(names) {
      const keys = names.map(paymentKey);
      return new Map([...payments].filter(([key]) => keys.includes(key)));
    },
    async advance(known, next, gap) {
      const key = paymentKey(next);
      if (payments.get(key)?.revision !== known?.revision) {
        return undefined;
      }
      const written = { ...next, revision: (known?.revision ?? 0) + 1 };
      payments.set(key, written);
      if (gap === undefined) {
        gaps.delete(key);
      } else {
        gaps.set(key, gap);
      }
      return written;
    },
    async hold(held) {
      waiting.set(nameOf(held.event), { ...held, event: { ...held.event, resource: {} } });
    },
    held: async (names) => names.map((name) => waiting.get(nameOf(name))),
    async drop(names) {
      for (const name of names) {
        waiting.delete(nameOf(name));
      }
    },
  };
}
