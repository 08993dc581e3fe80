import { setTimeout as delay } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientConfig } from '../local/local-account.ts';
import type { LocalOutputs } from '../local/outputs.ts';
import { bus, publish } from '../local/publish.ts';
import { samplePayment } from '../local/sample-payments.ts';
import type { Customer } from './customers.ts';
import { readUntil } from './read-until.ts';
import type { Expected } from './verdict.ts';

/** Nothing new for so long, and the run is taken for stuck. */
const PATIENCE_MS = 60_000;
const TICK_MS = 50;

export interface Sent {
  readonly expected: readonly Expected[];
  /** How many messages the receivers have accepted: fewer when it got stuck. */
  readonly accepted: number;
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
  const acceptedIds = async () => {
    const receipts = (await Promise.all(customers.map((customer) => customer.receipts()))).flat();
    const accepted = receipts.filter(
      ({ status, resource_id }) => status === 200 && resource_id?.startsWith(`pay_${run}`),
    );
    return [...new Set(accepted.map(({ webhook_id }) => webhook_id))];
  };
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
  const accepted = await readUntil(expected.length, acceptedIds, {
    patienceMs: PATIENCE_MS,
    pauseMs: TICK_MS * 5,
  });
  return { expected, accepted: accepted.length, seconds: (performance.now() - startedAtMs) / 1_000 };
}
