import { setTimeout as delay } from 'node:timers/promises';
import { bus, publish } from '../../../cli/publisher/publish.ts';
import { ExplainedError } from '../../../cli/terminal/explanation.ts';
import { paymentEvents, unnumbered } from '../../artillery/payment-events.ts';
import { deliveryCount } from '../findings/delivery-count.ts';
import type { Partner } from '../partners/partner.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import { waitUntilDrained } from '../watch/drain.ts';
import { repeating } from '../watch/queue-watch.ts';

const SEND_INTERVAL_MS = 50;
const POLL_INTERVAL_MS = 100;
const PATIENCE_MS = 60_000;

/**
 * Sends payments at a rate and waits until they are delivered: the first webhook of a worker takes a second,
 * because the worker has to start.
 *
 * @throws ExplainedError when deliveries stop making progress
 */
export async function warmUp(
  { events, busName, types }: LabStage,
  partners: readonly Partner[],
  given: {
    readonly run: string;
    readonly rate: number;
    readonly seconds: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { run, rate, seconds, signal } = given;
  const putEvents = bus(events, busName);
  const { sent, poll, expected, waiting } = deliveryCount(partners);
  const count = Math.max(1, Math.round(rate * seconds));
  const startedAtMs = performance.now();
  for (let number = 0; number < count; ) {
    const due = Math.min(count, 1 + ((performance.now() - startedAtMs) / 1_000) * rate);
    for (; number < due; number += 1) {
      const { serviceId = '' } = partners[number % partners.length] ?? {};
      const paymentId = `pay_${run}_w_${number}`;
      const payment = paymentEvents({ serviceId, paymentId, types, eventCount: 1, bodyBytes: 0 });
      await publish(payment.map(unnumbered), putEvents);
      sent(payment.map((event) => ({ ...event, sequence: 1, sent_at_ms: Date.now() })));
    }
    await delay(SEND_INTERVAL_MS, undefined, { signal });
  }
  const polling = repeating(poll, POLL_INTERVAL_MS);
  const isDrained = await waitUntilDrained({
    waiting: () => waiting().length,
    endedAmongWaiting: async () => 0,
    patienceMs: PATIENCE_MS,
    signal,
  }).finally(polling.stop);
  if (!isDrained) {
    throw new ExplainedError(
      `The warm-up is stuck: ${expected.length - waiting().length} of ${expected.length} messages delivered.`,
    );
  }
}
