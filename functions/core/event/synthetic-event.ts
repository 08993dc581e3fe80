import type { z } from 'zod';
import type { EventType } from '../catalogue/event-type.ts';
import type { paymentEventSchema } from './event.ts';

export type SyntheticEvent = z.input<typeof paymentEventSchema>;

/** `DetailType` of the doctor's events: its role may put no others on the bus. */
export const SYNTHETIC = 'doctor';

export type SyntheticType = Pick<EventType, 'name' | 'resource_type' | 'sample'>;

/**
 * The type of the doctor's events: the first that is not deprecated and whose resource it can make up.
 *
 * @throws when there are no types
 */
export function syntheticTypeOf(types: readonly EventType[]): SyntheticType {
  const usable = types.filter(({ schema, sample }) => schema === undefined || sample !== undefined);
  const type = usable.find(({ deprecated }) => deprecated === undefined) ?? usable[0] ?? types[0];
  if (type === undefined) {
    throw new Error('the catalogue has no event type that the doctor could send');
  }
  return type;
}

/** An event of a made-up payment. `run` identifies the run: up to 60 of `[A-Za-z0-9_-]`. */
export function syntheticEvent(
  { name, resource_type = 'payment', sample }: SyntheticType,
  serviceId: string,
  run: string,
  nowMs: number,
): SyntheticEvent {
  const paymentId = `pay_${run}`;
  return {
    event_id: `evt_${run}`,
    service_id: serviceId,
    gateway_account_id: 'doctor',
    live: false,
    payment_id: paymentId,
    resource_type,
    resource_id: paymentId,
    event_type: name,
    occurred_at: new Date(nowMs).toISOString(),
    resource: sample ?? { payment_id: paymentId, description: 'a payment that the doctor made up' },
  };
}
