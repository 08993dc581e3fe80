import { connect } from 'node:net';
import { threadId } from 'node:worker_threads';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { bus, publish } from '../../cli/publisher/publish.ts';
import type { SampleEvent } from '../../cli/publisher/sample-payments.ts';
import { gathering } from './gathering.ts';
import { type FromGenerator, type GeneratorTask, lineReader, type ToGenerator } from './link.ts';
import { paymentEvents, unnumbered } from './payment-events.ts';

/** PutEvents takes ten events at most. An event waits this long for others. */
const BATCH = { max: 10, withinMs: 4 };

/** Runs in an Artillery worker: puts payments on the bus and reports to the runner. */
export function generator(task: GeneratorTask) {
  const putEvents = bus(new EventBridgeClient(), task.busName);
  const link = linkTo(task.port);
  const put = gathering(async (events: readonly SampleEvent[]) => {
    const sent_at_ms = Date.now();
    try {
      await publish(events.map(unnumbered), putEvents);
    } catch (error) {
      link.tell({ kind: 'unsure', event_ids: events.map(({ event_id }) => event_id), reason: String(error) });
      throw error;
    }
    link.tell({ kind: 'sent', events: events.map((event) => sentOf(event, sent_at_ms)) });
  }, BATCH);
  let number = 0;
  let startedAtMs: number | undefined;

  return {
    /** Puts all events of a new payment on the bus, one after another. Returns the id of the last. */
    async payment(): Promise<string> {
      await link.mayStart();
      startedAtMs ??= Date.now();
      const events = paymentEvents({
        serviceId: task.services[number % task.services.length] ?? '',
        paymentId: `pay_${task.run}_${threadId}_${number}`,
        number: number++,
        eventCount: task.eventsPerPayment,
        bodyBytes: task.bodyBytes,
      });
      for (const event of events) await put(event);
      return events.at(-1)?.event_id ?? '';
    },
    isTimeLeft: () => Date.now() - (startedAtMs ?? Date.now()) < task.durationMs,
    /** Resolves when every subscription has accepted the event. */
    untilAccepted: link.untilAccepted,
  };
}

function sentOf({ event_id, payment_id, service_id, sequence = 1 }: SampleEvent, sent_at_ms: number) {
  return { event_id, payment_id, service_id, sequence, sent_at_ms };
}

function linkTo(port: number) {
  // Artillery exits when its users are done: the link must not keep it alive.
  const socket = connect(port, '127.0.0.1').setEncoding('utf8').unref();
  const accepted = new Set<string>();
  const waiting = new Map<string, () => void>();
  let maySend = true;
  let released: (() => void)[] = [];
  socket.on('error', (error) => {
    console.error(`Cannot reach the runner: ${error.message}`);
    process.exit(1);
  });
  socket.on(
    'data',
    lineReader<ToGenerator>((message) => {
      if (message.kind === 'may_send') {
        maySend = message.may_send;
        if (maySend) for (const release of released.splice(0)) release();
        return;
      }
      for (const id of message.event_ids) {
        const resolve = waiting.get(id);
        if (resolve === undefined) accepted.add(id);
        waiting.delete(id);
        resolve?.();
      }
    }),
  );
  return {
    tell: (message: FromGenerator) => socket.write(`${JSON.stringify(message)}\n`),
    async mayStart(): Promise<void> {
      while (!maySend) await new Promise<void>((resolve) => (released = [...released, resolve]));
    },
    untilAccepted: (eventId: string) =>
      accepted.delete(eventId)
        ? Promise.resolve()
        : new Promise<void>((resolve) => waiting.set(eventId, resolve)),
  };
}
