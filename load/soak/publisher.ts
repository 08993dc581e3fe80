import { setTimeout as delay } from 'node:timers/promises';
import { type PutEvents, publish } from '../../cli/publisher/publish.ts';
import type { SampleEvent } from '../../cli/publisher/sample-payments.ts';
import { Dice } from '../../local/dice.ts';
import type { SentEvent } from '../artillery/messages.ts';
import { paymentEvents } from '../artillery/payment-events.ts';

interface Publishing {
  readonly serviceIds: readonly string[];
  readonly run: string;
  readonly seed: number;
  /** Events a second, over all services. */
  readonly rate: number;
  readonly put: PutEvents;
  readonly onSent: (event: SentEvent, more: { eventType: string; confirmedAtMs: number }) => void;
}

/** So many payments are under way at a time: an event seldom follows the one before it at once. */
const PAYMENTS_UNDER_WAY = 20;
const EVENTS_OF_A_PAYMENT = [1, 6] as const;
/**
 * So many calls to the bus are open at a time at most: a slow one lets later events of its payment go ahead.
 */
const MAX_OPEN = 8;

/**
 * Publishes numbered events of many payments until stopped. `stop` resolves with how often the bus refused
 * an event for good, or was not heard of: whether such events are on the bus is unknown.
 */
export function publisher({ serviceIds, run, seed, rate, put, onSent }: Publishing) {
  const dice = new Dice(seed);
  const stopped = new AbortController();
  let payments = 0;
  let unsure = 0;
  const underWay: SampleEvent[][] = [];
  const next = (): SampleEvent => {
    while (underWay.length < PAYMENTS_UNDER_WAY) {
      const serviceId = serviceIds[dice.whole(0, serviceIds.length - 1)] ?? '';
      const eventCount = dice.whole(...EVENTS_OF_A_PAYMENT);
      payments += 1;
      const paymentId = `${run}-${payments}`;
      underWay.push(paymentEvents({ serviceId, paymentId, number: payments, eventCount, bodyBytes: 0 }));
    }
    const index = dice.whole(0, underWay.length - 1);
    const events = underWay[index] ?? [];
    const event = events.shift() as SampleEvent;
    if (events.length === 0) underWay.splice(index, 1);
    return event;
  };
  const send = async ({ event_id, payment_id, service_id, sequence = 0, ...event }: SampleEvent) => {
    const sent_at_ms = Date.now();
    try {
      await publish([{ ...event, event_id, payment_id, service_id, sequence }], put);
      onSent(
        { event_id, payment_id, service_id, sequence, sent_at_ms },
        { eventType: event.event_type, confirmedAtMs: Date.now() },
      );
    } catch {
      unsure += 1;
    }
  };
  const open = new Set<Promise<void>>();
  const all = (async () => {
    const startedAtMs = performance.now();
    for (let sent = 0; !stopped.signal.aborted; sent += 1) {
      const dueMs = startedAtMs + (sent * 1_000) / rate - performance.now();
      if (dueMs > 0) await delay(dueMs, undefined, { signal: stopped.signal }).catch(() => {});
      while (open.size >= MAX_OPEN) await Promise.race(open);
      if (stopped.signal.aborted) return;
      const sending = send(next()).finally(() => open.delete(sending));
      open.add(sending);
    }
  })();
  return {
    async stop(): Promise<number> {
      stopped.abort();
      await all;
      await Promise.all(open);
      return unsure;
    },
  };
}
