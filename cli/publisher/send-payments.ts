import { setTimeout as delay } from 'node:timers/promises';
import { type PutEvents, publish } from './publish.ts';
import { type SampleType, samplePayment } from './sample-payments.ts';

export interface Sending {
  readonly serviceId: string;
  readonly payments: number;
  /** Payments that start in a second. */
  readonly rate: number;
  readonly eventsPerPayment: { readonly min: number; readonly max: number };
  /** Of the events of each payment, in this order. */
  readonly types: readonly SampleType[];
  /** Begins every payment id: letters and digits. */
  readonly run: string;
  readonly onProgress?: (sent: Sent) => void;
}

/** What is on the bus. */
export interface Sent {
  readonly payments: number;
  readonly events: number;
  /** Entries that were refused and put again. */
  readonly repeated: number;
}

/** So often payments that are due are put together. */
const TICK_MS = 100;

/** Puts sample payments on the bus at a steady rate, or as fast as the bus takes them. */
export async function sendPayments(sending: Sending, putEvents: PutEvents): Promise<Sent> {
  const startedAtMs = Date.now();
  let sent: Sent = { payments: 0, events: 0, repeated: 0 };
  while (sent.payments < sending.payments) {
    const seconds = (Date.now() - startedAtMs) / 1_000;
    const due = Math.min(sending.payments, 1 + Math.floor(seconds * sending.rate));
    const numbers = Array.from({ length: due - sent.payments }, (_, index) => sent.payments + index);
    const events = numbers.flatMap((number) => paymentEvents(sending, number));
    const { repeated } = await publish(events, putEvents);
    sent = { payments: due, events: sent.events + events.length, repeated: sent.repeated + repeated };
    sending.onProgress?.(sent);
    if (sent.payments < sending.payments) {
      await delay(TICK_MS);
    }
  }
  return sent;
}

function paymentEvents({ serviceId, eventsPerPayment, types, run }: Sending, number: number) {
  const { min, max } = eventsPerPayment;
  return samplePayment({
    serviceId,
    paymentId: `pay_${run}_${number + 1}`,
    types,
    eventCount: min + (number % (max - min + 1)),
    startedAt: new Date(),
  });
}

/** Something that no other run begins its payment ids with: the time, in few characters. */
export function runName(): string {
  return Date.now().toString(36);
}
