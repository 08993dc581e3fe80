import { setTimeout as delay } from 'node:timers/promises';
import type { Partner } from '../cli/partner/partner.ts';
import { type PutEvents, publish } from '../cli/publisher/publish.ts';
import { samplePayment } from '../cli/publisher/sample-payments.ts';
import { runName } from '../cli/publisher/send-payments.ts';

const PAYMENTS = 30;
const GIVE_UP_AFTER_MS = 20_000;

/**
 * Sends a burst of payments to a subscription that is deleted again: a worker's first webhook takes a second because the worker has to start, and
 * that is not what a demonstration is about. What does not get warm in 20 s stays cold.
 */
export async function warmUp(
  api: Partner,
  putEvents: PutEvents,
  given: { readonly serviceId: string; readonly callbackUrl: string; readonly signal?: AbortSignal },
): Promise<void> {
  const { subscription_id } = await api.subscribe({
    callback_url: given.callbackUrl,
    description: 'warm-up',
    event_types: ['card_payment_started'],
    live: false,
  });
  const run = runName();
  const payments = Array.from({ length: PAYMENTS }, (_, number) =>
    samplePayment({
      serviceId: given.serviceId,
      paymentId: `warm_${run}_${number}`,
      number,
      eventCount: 1,
      startedAt: new Date(),
    }),
  );
  // Each by itself: more batches, more workers.
  await Promise.all(payments.map((events) => publish(events, putEvents)));
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  while ((await api.messages(subscription_id)).length < PAYMENTS && Date.now() < deadline) {
    await delay(200, undefined, { signal: given.signal });
  }
  await api.unsubscribe(subscription_id);
}
