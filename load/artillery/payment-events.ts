import { type SampleEvent, samplePayment } from '../../cli/publisher/sample-payments.ts';

export interface LoadPayment {
  readonly serviceId: string;
  readonly paymentId: string;
  readonly number: number;
  readonly eventCount: number;
  /** Of the resource as JSON; 0: as it comes. A resource is never made smaller than the id in it. */
  readonly bodyBytes: number;
}

/** The events of one payment of a load run, in the order in which they happen. */
export function paymentEvents({ bodyBytes, ...payment }: LoadPayment): SampleEvent[] {
  return samplePayment({ ...payment, startedAt: new Date() }).map((event) =>
    bodyBytes === 0 ? event : { ...event, resource: resourceOf(event.payment_id, bodyBytes) },
  );
}

function resourceOf(payment_id: string, bytes: number): { [name: string]: string } {
  const bare = { payment_id, note: '' };
  const missing = bytes - Buffer.byteLength(JSON.stringify(bare));
  return { ...bare, note: 'x'.repeat(Math.max(0, missing)) };
}
