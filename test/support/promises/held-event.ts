import type { HeldEvent } from '../../../functions/core/sequence/ports.ts';
import { TEN_O_CLOCK_MS } from '../builders.ts';

/** An event of a payment that has come before its turn. */
export function heldOf(payment_id: string, sequence: number, event_id = `evt-${sequence}`): HeldEvent {
  return {
    event: {
      ...{ event_id, service_id: 'bakery', gateway_account_id: '42', live: false, payment_id, sequence },
      ...{ resource_type: 'payment', resource_id: payment_id, resource: {} },
      ...{ event_type: 'CAPTURE_CONFIRMED', public_type: 'card_payment_captured' },
      occurred_at: '2026-11-14T10:00:00.000Z',
    },
    resource: '{"amount":10.50}',
    arrivedAtMs: TEN_O_CLOCK_MS,
  };
}
