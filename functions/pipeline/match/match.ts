import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import { RefusedError } from '../../core/errors/refused-error.ts';
import type { PaymentEvent } from '../../core/event/event.ts';
import { type Message, messageOf, resourceKey } from '../../core/message/message.ts';
import { sendInOrder } from '../../core/ordering/sending-order.ts';
import { type Route, wants } from '../../core/subscription/subscription.ts';
import type { DeadEvent, Intake, MatchPorts } from './ports.ts';
import { readIntake } from './read-intake.ts';

/** A larger resource is stored once instead of being in each message. In bytes of UTF-8. */
const TRAVELLING_RESOURCE_BYTES = 16 * 1024;

interface Usable {
  readonly intake: Intake;
  readonly event: PaymentEvent;
  /** JSON text. */
  readonly resource: string;
}

interface Matched extends Usable {
  readonly messages: readonly Message[];
}

/**
 * Makes messages of events: one for each subscription that wants the event, sent so that those of one
 * ordering key keep the order in which `events.fifo` took the events. An internal error stays with the events
 * that meet it, and with those behind them in their payments. Never rejects as long as `internalError` and
 * `observe` do not.
 *
 * @returns the ids of the records that come again: some message could not be sent, or they are behind such an
 * event
 */
export async function match(intakes: readonly Intake[], ports: MatchPorts): Promise<string[]> {
  const deadRecords: DeadEvent[] = [];
  const usable: Usable[] = [];
  for (const intake of intakes) {
    const read = readIntake(intake);
    if ('reason' in read) {
      deadRecords.push({ intake, ...read });
    } else {
      usable.push({ intake, ...read });
    }
  }

  const { routes, unreadable, untaken } = await routesOf(usable, ports);
  const matched: Matched[] = [];
  const again: Intake[] = usable.flatMap(({ intake, event }) =>
    untaken.has(event.service_id) ? [intake] : [],
  );
  for (const one of usable.filter(({ event }) => !untaken.has(event.service_id))) {
    const { intake, event } = one;
    const explanation = unreadable.get(event.service_id);
    if (explanation === undefined) {
      matched.push({ ...one, messages: messagesOf(one, routes.get(event.service_id) ?? []) });
    } else {
      deadRecords.push({ intake, reason: 'routes_unreadable', explanation });
    }
  }

  const { sendable, unkept, refused } = await keepResources(matched, ports);
  const [notDeadLettered, unsent] = await Promise.all([
    deadLetter([...deadRecords, ...refused], ports),
    sendInOrder(
      sendable.flatMap(({ messages }) => messages),
      (batch) => send(batch, ports),
    ),
  ]);
  const sent = sendable.filter(({ messages }) => !messages.some((message) => unsent.has(message)));
  again.push(...unkept, ...sendable.filter((one) => !sent.includes(one)).map(({ intake }) => intake));
  again.push(...notDeadLettered);
  ports.observe({
    matched: sent.map(({ event, messages }) => ({ event, messageCount: messages.length })),
    deadLettered: [...deadRecords, ...refused].filter(({ intake }) => !notDeadLettered.includes(intake)),
  });
  const comeAgain = new Set(again.map(({ recordId }) => recordId));
  return intakes.map(({ recordId }) => recordId).filter((id) => comeAgain.has(id));
}

function messagesOf({ intake, event, resource }: Usable, routes: readonly Route[]): Message[] {
  return routes
    .filter((route) => wants(route, event))
    .map((route) => ({
      ...messageOf(event, route.subscription_id, intake),
      ...(travels(resource) ? { resource } : {}),
      ...(intake.receiveCount > 1 ? { sent_before: true } : {}),
    }));
}

function travels(resource: string): boolean {
  return Buffer.byteLength(resource) <= TRAVELLING_RESOURCE_BYTES;
}

/**
 * Reads the routes of all services together or, if that fails, of each alone. A service whose own call fails
 * is `untaken`.
 */
async function routesOf(
  usable: readonly Usable[],
  ports: MatchPorts,
): Promise<Awaited<ReturnType<MatchPorts['routesOf']>>> {
  const services = [...new Set(usable.map(({ event }) => event.service_id))];
  const { answers, failed } = await isolateFailures(services, (some) => ports.routesOf(some));
  for (const [service, error] of failed) {
    ports.internalError(error, usable.filter(({ event }) => event.service_id === service).length);
  }
  const untaken = answers.flatMap((answer) => [...answer.untaken]);
  if (untaken.length > 0) {
    const events = usable.filter(({ event }) => untaken.includes(event.service_id)).length;
    ports.internalError(
      new Error(`routes of ${untaken.join(', ')}: could not be read, too much at once`),
      events,
    );
  }
  return {
    routes: new Map(answers.flatMap(({ routes }) => [...routes])),
    unreadable: new Map(answers.flatMap(({ unreadable }) => [...unreadable])),
    untaken: new Set([...untaken, ...failed.keys()]),
  };
}

/**
 * Stores large resources. An event whose resource could not be stored is not sent, nor are those behind it in
 * its payment.
 */
async function keepResources(
  matched: readonly Matched[],
  ports: MatchPorts,
): Promise<{ sendable: Matched[]; unkept: Intake[]; refused: DeadEvent[] }> {
  const large = matched.filter(({ messages, resource }) => messages.length > 0 && !travels(resource));
  const internalErrors = new Map<Matched, unknown>();
  const resourceKeys = new Map<Matched, string>();
  await Promise.all(
    large.map(async (one) => {
      try {
        resourceKeys.set(one, await ports.keepResource(one.event, one.resource, one.intake.admittedAtMs));
      } catch (error) {
        internalErrors.set(one, error);
      }
    }),
  );
  const sendable: Matched[] = [];
  const unkept: Intake[] = [];
  const refused: DeadEvent[] = [];
  const unsentPayments = new Set<string>();
  for (const one of matched) {
    const { intake, event } = one;
    const payment = `${event.service_id} ${event.payment_id}`;
    const internalError = internalErrors.get(one);
    if (unsentPayments.has(payment)) {
      unkept.push(intake);
    } else if (internalError instanceof RefusedError) {
      refused.push({ intake, reason: 'unstorable', explanation: internalError.message });
    } else if (internalError !== undefined) {
      ports.internalError(internalError, 1);
      unsentPayments.add(payment);
      unkept.push(intake);
    } else {
      sendable.push(withKey(one, resourceKeys.get(one)));
    }
  }
  return { sendable, unkept, refused };
}

/** Adds to its messages where a resource is stored, unless that is where it is looked for anyway. */
function withKey(one: Matched, resource_key: string | undefined): Matched {
  return resource_key === undefined || resource_key === resourceKey(one.event)
    ? one
    : { ...one, messages: one.messages.map((message) => ({ ...message, resource_key })) };
}

/** Sends messages together or, if that fails, each alone; answers those that were not taken. */
async function send(messages: readonly Message[], ports: MatchPorts): Promise<Message[]> {
  const { answers, failed } = await isolateFailures(messages, (some) => ports.send(some));
  for (const error of failed.values()) {
    ports.internalError(error, 1);
  }
  return [...answers.flat(), ...failed.keys()];
}

/** Likewise for dead letters. */
async function deadLetter(deadRecords: readonly DeadEvent[], ports: MatchPorts): Promise<Intake[]> {
  const { answers, failed } = await isolateFailures(deadRecords, (some) => ports.deadLetter(some));
  for (const error of failed.values()) {
    ports.internalError(error, 1);
  }
  return [...answers.flat(), ...failed.keys()].map(({ intake }) => intake);
}
