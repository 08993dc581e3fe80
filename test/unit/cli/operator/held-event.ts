import { isNumbered, readPaymentEvent } from '../../../../functions/core/event/event.ts';
import type { EarlyEvent } from '../../../../functions/core/sequence/payment-sequence.ts';
import type { HeldEvent } from '../../../../functions/core/sequence/ports.ts';
import { paymentEvent } from '../../../support/builders.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';

export const PAYMENT = { service_id: 'shop', payment_id: 'pay-1' };
const SINCE = '2026-11-14T10:00:00.000Z';

/** The event of the payment with this number, as it waits. */
export function heldEvent(number: number, over: Partial<HeldEvent> = { resource: '{}' }): HeldEvent {
  const event = readPaymentEvent(
    paymentEvent({ ...PAYMENT, sequence: number, event_id: `evt-${number}` }),
    GOV_UK_PAY,
  );
  if ('kind' in event || !isNumbered(event)) {
    throw new Error(`not an event with a number: ${JSON.stringify(event)}`);
  }
  return { event: { ...event, resource: {} }, arrivedAtMs: Date.parse(SINCE), ...over };
}

/** As its payment's sequence says that it waits. */
export function earlyEvent(number: number): EarlyEvent {
  return { sequence: number, event_id: `evt-${number}`, since: SINCE };
}
