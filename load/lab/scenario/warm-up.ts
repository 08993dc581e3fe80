import { setTimeout as delay } from 'node:timers/promises';
import { bus, publish } from '../../../cli/publisher/publish.ts';
import { ExplainedError } from '../../../cli/terminal/explained-error.ts';
import { paymentEvents } from '../../artillery/payment-events.ts';
import { counts } from '../findings/delivery-count.ts';
import type { Customer } from '../partners/partner.ts';
import type { LabStage } from '../stage/lab-stage.ts';
import { drained } from '../watch/drained.ts';
import { repeating } from '../watch/repeating.ts';

const TICK_MS = 50;
const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 60_000;

/**
 * Sends so many payments a second for so long, and waits until they are delivered: a worker's first webhook takes a second because it has to start.
 *
 * @throws ExplainedError when nothing more is delivered
 */
export async function warmUp(
  { events, busName }: LabStage,
  customers: readonly Customer[],
  given: {
    readonly run: string;
    readonly rate: number;
    readonly seconds: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { run, rate, seconds, signal } = given;
  const putEvents = bus(events, busName);
  const { sent, look, expected, waiting } = counts(customers);
  const count = Math.max(1, Math.round(rate * seconds));
  const startedAtMs = performance.now();
  for (let number = 0; number < count; ) {
    const due = Math.min(count, 1 + ((performance.now() - startedAtMs) / 1_000) * rate);
    for (; number < due; number += 1) {
      const { serviceId = '' } = customers[number % customers.length] ?? {};
      const paymentId = `pay_${run}_w_${number}`;
      const payment = paymentEvents({ serviceId, paymentId, number, eventCount: 1, bodyBytes: 0 });
      await publish(payment, putEvents);
      sent(payment.map((event) => ({ ...event, sequence: 1, sent_at_ms: Date.now() })));
    }
    await delay(TICK_MS, undefined, { signal });
  }
  const looking = repeating(look, LOOK_EVERY_MS);
  const isDone = await drained({
    waiting: () => waiting().length,
    endedAmongWaiting: async () => 0,
    patienceMs: PATIENCE_MS,
    signal,
  }).finally(looking.stop);
  if (!isDone) {
    throw new ExplainedError(
      `The warm-up got stuck: ${expected.length - waiting().length} of ${expected.length} messages were delivered.`,
    );
  }
}
