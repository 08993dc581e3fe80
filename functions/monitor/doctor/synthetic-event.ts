import type { z } from 'zod';
import type { paymentEventSchema } from '../../core/event/event.ts';

export type SyntheticEvent = z.input<typeof paymentEventSchema>;

/** `DetailType` of the doctor's events: what its role may put on the bus goes by it. */
export const SYNTHETIC = 'doctor';

/** What the doctor's subscriptions are told of. */
export const SYNTHETIC_TYPE = 'card_payment_started';

/** An event of a payment that nobody made. `run` tells runs apart: up to 60 of `[A-Za-z0-9_-]`. */
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
