import type { z } from 'zod';
import type { paymentEventSchema } from './event.ts';

export type SyntheticEvent = z.input<typeof paymentEventSchema>;

/** `DetailType` of the doctor's events: its role may put no others on the bus. */
export const SYNTHETIC = 'doctor';

/** The event type of the doctor's subscriptions. */
export const SYNTHETIC_TYPE = 'card_payment_started';

/** An event of a made-up payment. `run` identifies the run: up to 60 of `[A-Za-z0-9_-]`. */
export function syntheticEvent(serviceId: string, run: string, nowMs: number): SyntheticEvent {
  const paymentId = `pay_${run}`;
  return {
    event_id: `evt_${run}`,
    service_id: serviceId,
    gateway_account_id: 'doctor',
    live: false,
    payment_id: paymentId,
    resource_type: 'payment',
    resource_id: paymentId,
    event_type: SYNTHETIC_TYPE,
    occurred_at: new Date(nowMs).toISOString(),
    resource: { payment_id: paymentId, description: 'a payment that the doctor made up' },
  };
}
