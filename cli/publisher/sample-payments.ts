import type { z } from 'zod';
import type { paymentEventSchema } from '../../functions/core/event/event.ts';

/** The `Detail` of an event as a publisher writes it. */
export type SampleEvent = z.input<typeof paymentEventSchema>;

export interface SamplePayment {
  readonly serviceId: string;
  /** Becomes `payment_id`: up to 60 of `[A-Za-z0-9_-]`. */
  readonly paymentId: string;
  /** Which one: samples differ in amount, card and product. From 0. */
  readonly number: number;
  /** 1 to 20. Beyond the four of its life come partial refunds. */
  readonly eventCount: number;
  /** When it was started; its later events happen a millisecond apart, so that none lies in the future. */
  readonly startedAt: Date;
  /** @default false */
  readonly live?: boolean;
}

/** What happens to a payment that goes well, and the state that GOV.UK Pay's API shows then. */
const LIFE = [
  { eventType: 'PAYMENT_STARTED', status: 'started', finished: false },
  { eventType: 'USER_APPROVED_FOR_CAPTURE', status: 'success', finished: true },
  { eventType: 'CAPTURE_CONFIRMED', status: 'success', finished: true },
  { eventType: 'CAPTURE_SETTLED', status: 'success', finished: true },
] as const;

const AMOUNTS_IN_PENCE = [1250, 8850, 499, 23_000, 1999, 60];
const CARDS = [
  { card_brand: 'Visa', card_type: 'debit' },
  { card_brand: 'Mastercard', card_type: 'credit' },
  { card_brand: 'American Express', card_type: 'credit' },
];
const PRODUCTS = ['Fishing licence', 'Passport renewal', 'Parking permit', 'Copy of a certificate'];

/**
 * The events of one payment in the order in which they happen. The same payment comes out the same, event ids
 * included. Invented: nobody's data.
 *
 * @throws RangeError when it cannot have that number of events
 */
export function samplePayment(payment: SamplePayment): SampleEvent[] {
  const { eventCount } = payment;
  if (!Number.isInteger(eventCount) || eventCount < 1 || eventCount > 20) {
    throw new RangeError(`a sample payment has 1 to 20 events, not ${eventCount}`);
  }
  return Array.from({ length: eventCount }, (_, index) => sampleEvent(payment, index));
}

function sampleEvent(payment: SamplePayment, index: number): SampleEvent {
  const { serviceId, paymentId, startedAt, live = false } = payment;
  const step = LIFE[index];
  const refund = step === undefined ? index - LIFE.length + 1 : undefined;
  return {
    event_id: `${paymentId}_${index + 1}`,
    service_id: serviceId,
    gateway_account_id: '1042',
    live,
    payment_id: paymentId,
    resource_type: refund === undefined ? 'payment' : 'refund',
    resource_id: refund === undefined ? paymentId : `${paymentId}_r${refund}`,
    event_type: step?.eventType ?? 'REFUND_SUCCEEDED',
    occurred_at: new Date(startedAt.getTime() + index).toISOString(),
    sequence: index + 1,
    resource: refund === undefined ? paymentResource(payment, index) : refundResource(payment, refund),
  };
}

function paymentResource(payment: SamplePayment, index: number) {
  const { number, paymentId, startedAt } = payment;
  const { status, finished } = LIFE[index] ?? LIFE[0];
  const date = new Date(startedAt.getTime() + index).toISOString();
  return {
    payment_id: paymentId,
    amount: pick(AMOUNTS_IN_PENCE, number),
    description: pick(PRODUCTS, number),
    reference: `REF-${String(number + 1).padStart(6, '0')}`,
    language: 'en',
    payment_provider: 'sandbox',
    created_date: startedAt.toISOString(),
    state: { status, finished },
    delayed_capture: false,
    moto: false,
    authorisation_mode: 'web',
    return_url: 'https://service.example/return',
    ...(index === 0 ? {} : { card_details: pick(CARDS, number) }),
    settlement_summary: {
      ...(index >= 2 ? { capture_submit_time: date } : {}),
      ...(index >= 3 ? { settled_date: date.slice(0, 10) } : {}),
    },
  };
}

function refundResource({ number, paymentId, startedAt }: SamplePayment, refund: number) {
  return {
    refund_id: `${paymentId}_r${refund}`,
    payment_id: paymentId,
    amount: Math.max(1, Math.floor(pick(AMOUNTS_IN_PENCE, number) / 20)),
    status: 'success',
    created_date: startedAt.toISOString(),
  };
}

function pick<T>(from: readonly T[], number: number): T {
  return from[number % from.length] as T;
}
