import { positionOf } from '../ordering/blocked-ordering-key.ts';
import type { PaymentSequence } from './payment-sequence.ts';

/** Where an event that went on stands among all of its payment, and when it went on. */
export type Place = Pick<PaymentSequence, 'order_number' | 'admitted_at_ms'>;

/**
 * Of the event that goes on next: its place is that of the record which lets it go on or, when something went on
 * there or later, right behind the last. So places only grow, whichever worker comes again with which record.
 */
export function nextPlace(last: Place, record: Place): Place {
  const isAhead = positionOf(record) > positionOf(last);
  return {
    order_number: isAhead ? record.order_number : rightBehind(last.order_number),
    admitted_at_ms: Math.max(last.admitted_at_ms, record.admitted_at_ms),
  };
}

/** The place of a record, taken by nothing: what goes on from now on comes behind it. */
export function reservedPlace(last: Place, record: Place): Place {
  return positionOf(record) > positionOf(last) ? record : last;
}

function rightBehind(orderNumber: string): string {
  const [number, rank = '0'] = orderNumber.split('.');
  return `${number}.${String(Number(rank) + 1).padStart(4, '0')}`;
}
