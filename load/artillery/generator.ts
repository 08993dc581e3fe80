import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { bus, publish } from '../../cli/publisher/publish.ts';
import type { SampleEvent } from '../../cli/publisher/sample-payments.ts';
import type { FromGenerator, GeneratorTask, ToGenerator } from './messages.ts';
import { paymentEvents, unnumbered } from './payment-events.ts';

/** PutEvents takes ten events at most. An event waits this long for others. */
const BATCH = { max: 10, withinMs: 4 };

/** Puts payments on the bus and tells what came of them. */
export function generator(task: GeneratorTask, tell: (message: FromGenerator) => void) {
  const putEvents = bus(new EventBridgeClient(), task.busName);
  const put = gathering(async (events: readonly SampleEvent[]) => {
    const sent_at_ms = Date.now();
    try {
      await publish(events.map(unnumbered), putEvents);
    } catch (error) {
      tell({ kind: 'unsure', event_ids: events.map(({ event_id }) => event_id), reason: String(error) });
      throw error;
    }
    tell({ kind: 'sent', events: events.map((event) => sentOf(event, sent_at_ms)) });
  }, BATCH);
  let number = 0;
  let startedAtMs: number | undefined;
  const accepted = new Set<string>();
  const waiting = new Map<string, () => void>();
  let released = Promise.withResolvers<void>();
  released.resolve();

  return {
    /** Puts all events of a new payment on the bus, one after another. Returns the id of the last. */
    async payment(): Promise<string> {
      await released.promise;
      startedAtMs ??= Date.now();
      const events = paymentEvents({
        serviceId: task.services[number % task.services.length] ?? '',
        paymentId: `pay_${task.run}_${number}`,
        types: task.types,
        eventCount: task.eventsPerPayment,
        bodyBytes: task.bodyBytes,
      });
      number += 1;
      for (const event of events) await put(event);
      return events.at(-1)?.event_id ?? '';
    },
    isTimeLeft: () => Date.now() - (startedAtMs ?? Date.now()) < task.durationMs,
    /** Resolves when every subscription has accepted the event. */
    untilAccepted: (eventId: string) =>
      accepted.delete(eventId)
        ? Promise.resolve()
        : new Promise<void>((resolve) => waiting.set(eventId, resolve)),
    hear(message: ToGenerator): void {
      if (message.kind === 'may_send') {
        released.resolve();
        if (!message.may_send) released = Promise.withResolvers<void>();
      } else if (message.kind === 'accepted') {
        for (const id of message.event_ids) {
          const resolve = waiting.get(id);
          if (resolve === undefined) accepted.add(id);
          waiting.delete(id);
          resolve?.();
        }
      }
    },
  };
}

function sentOf({ event_id, payment_id, service_id, sequence = 1 }: SampleEvent, sent_at_ms: number) {
  return { event_id, payment_id, service_id, sequence, sent_at_ms };
}

/**
 * Batches items that arrive within `withinMs` of each other. Each caller learns the outcome of its own item.
 *
 * @param put rejects for all items of a batch
 */
export function gathering<T>(
  put: (batch: readonly T[]) => Promise<unknown>,
  { max, withinMs }: { readonly max: number; readonly withinMs: number },
): (item: T) => Promise<void> {
  let waiting: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    put(batch.map(({ item }) => item)).then(
      () => {
        for (const { resolve } of batch) resolve();
      },
      (error) => {
        for (const { reject } of batch) reject(error);
      },
    );
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= max) flush();
      else timer ??= setTimeout(flush, withinMs);
    });
}
