import { type SampleEvent, type SamplePayment, samplePayment } from '../../cli/publisher/sample-payments.ts';

interface LoadPayment extends Omit<SamplePayment, 'startedAt'> {
  /** Size of the resource as JSON; 0: unpadded. A resource always holds its id, so it can be larger. */
  readonly bodyBytes: number;
}

/** The events of one payment, in the order they happen. */
export function paymentEvents({ bodyBytes, ...payment }: LoadPayment): SampleEvent[] {
  return samplePayment({ ...payment, startedAt: new Date() }).map((event) =>
    bodyBytes === 0 ? event : { ...event, resource: resourceOf(event.payment_id, bodyBytes) },
  );
}

/** As load runs publish them: what they measure is a delivery without the calls of the sequence. */
export function unnumbered({ sequence: _, ...event }: SampleEvent): SampleEvent {
  return event;
}

function resourceOf(payment_id: string, bytes: number): { [name: string]: string } {
  const bare = { payment_id, note: '' };
  const padding = bytes - Buffer.byteLength(JSON.stringify(bare));
  return { ...bare, note: 'x'.repeat(Math.max(0, padding)) };
}
