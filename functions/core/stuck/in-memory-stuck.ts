import { positionOf } from '../sequence/order-number.ts';
import { type PaymentName, paymentKey } from '../sequence/payment-sequence.ts';
import type { StuckChange, StuckEvent, StuckPayment, StuckStore } from './ports.ts';
import { NONE_STUCK, type StuckPayments } from './stuck-payments.ts';

/** Keeps the promises of the port. */
export function inMemoryStuck(): StuckStore & {
  readonly services: Map<string, StuckPayments>;
  readonly payments: Map<string, StuckPayment>;
  readonly events: Map<string, StuckEvent>;
  of(serviceIds: readonly string[]): ReadonlyMap<string, StuckPayments>;
} {
  const services = new Map<string, StuckPayments>();
  const payments = new Map<string, StuckPayment>();
  const events = new Map<string, StuckEvent>();
  const nameOf = (event: StuckEvent) => `${paymentKey(event)} ${positionOf(event)} ${event.record_id}`;
  const changes = ({ service_id }: PaymentName, { known, next }: StuckChange) => {
    if ((services.get(service_id) ?? NONE_STUCK).revision !== known.revision) {
      return false;
    }
    services.set(service_id, next);
    return true;
  };
  return {
    services,
    payments,
    events,
    of: (serviceIds) => new Map([...services].filter(([id]) => serviceIds.includes(id))),
    async setAside(payment, event, change, stuck) {
      if (!changes(payment, change)) {
        return false;
      }
      if (stuck !== undefined) {
        payments.set(paymentKey(payment), stuck);
      }
      if (event !== undefined) {
        events.set(nameOf(event), event);
      }
      return true;
    },
    stuckEvents: async (payment, max) =>
      [...events]
        .filter(([, event]) => paymentKey(event) === paymentKey(payment))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, event]) => event)
        .slice(0, max),
    async dropStuck(some) {
      for (const event of some) {
        events.delete(nameOf(event));
      }
    },
    async free(payment, change) {
      if (!changes(payment, change)) {
        return false;
      }
      payments.delete(paymentKey(payment));
      return true;
    },
  };
}
