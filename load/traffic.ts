import { setTimeout as delay } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientConfig } from '../local/local-account.ts';
import type { LocalOutputs } from '../local/outputs.ts';
import { bus, publish } from '../local/publish.ts';
import { samplePayment } from '../local/sample-payments.ts';
import type { Customer } from './customers.ts';
import type { Expected } from './verdict.ts';

/** Nothing new for so long, and the run is taken for stuck. */
const PATIENCE_MS = 60_000;
const TICK_MS = 50;

export interface Sent {
  readonly expected: readonly Expected[];
  readonly seconds: number;
}

/** Puts payments on the bus at the rate, and waits until the receivers have accepted all of their events or nothing more comes. */
export async function traffic(
  run: string,
  options: { readonly payments: number; readonly rate: number; readonly 'events-per-payment': number },
  { endpoint, busName }: LocalOutputs,
  customers: readonly Customer[],
): Promise<Sent> {
  const putEvents = bus(new EventBridgeClient(clientConfig(endpoint)), busName);
  const accepted = async () =>
    (await Promise.all(customers.map(({ receipts }) => receipts())))
      .flat()
      .filter(({ status, resource_id }) => status === 200 && resource_id?.startsWith(`pay_${run}`)).length;
  const expected: Expected[] = [];
  const startedAtMs = performance.now();
  for (let number = 0; number < options.payments; ) {
    const due = Math.min(options.payments, 1 + ((performance.now() - startedAtMs) / 1_000) * options.rate);
    const events = [];
    for (; number < due; number += 1) {
      const paymentId = `pay_${run}_${number}`;
      const { serviceId } = customers[number % customers.length] as Customer;
      const eventCount = options['events-per-payment'];
      events.push(...samplePayment({ serviceId, paymentId, number, eventCount, startedAt: new Date() }));
    }
    expected.push(
      ...events.map(({ event_id, payment_id, sequence = 1 }) => ({
        eventId: event_id,
        paymentId: payment_id,
        sequence,
      })),
    );
    await publish(events, putEvents);
    await delay(TICK_MS);
  }
  let last = -1;
  for (let changedAtMs = performance.now(); performance.now() - changedAtMs < PATIENCE_MS; ) {
    const now = await accepted();
    if (now === expected.length) {
      break;
    }
    if (now !== last) {
      changedAtMs = performance.now();
      last = now;
    }
    await delay(TICK_MS * 5);
  }
  return { expected, seconds: (performance.now() - startedAtMs) / 1_000 };
}
