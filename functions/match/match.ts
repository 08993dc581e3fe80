import { isUsable, type PaymentEvent, readPaymentEvent, type UnusableEvent } from '../core/event.ts';
import { parseExactly } from '../core/exact-json.ts';
import { type Message, messageOf, orderingKey, resourceKey } from '../core/message.ts';
import { type Route, wants } from '../core/subscription.ts';
import { inSendingOrder } from './sending-order.ts';

/** A record of `events.fifo`: the detail of one bus event as text, and what SQS says of it. */
export interface Admission {
  readonly recordId: string;
  readonly group: string;
  readonly body: string;
  /** When `events.fifo` took it, in ms since 1970. */
  readonly admittedAtMs: number;
  readonly orderNumber: string;
  /** 1 for the first time. */
  readonly receiveCount: number;
}

/** Why an event was put aside. `too_large`: its resource exceeds what is delivered. */
export type BurialReason = UnusableEvent['kind'] | 'too_large';

export interface Burial {
  readonly admission: Admission;
  readonly reason: BurialReason;
  readonly explanation: string;
}

export interface MatchPorts {
  /** Strongly consistent. A service that nobody knows is in neither; one whose routes cannot be read holds up its own events only. */
  routesOf(serviceIds: readonly string[]): Promise<{
    readonly routes: ReadonlyMap<string, readonly Route[]>;
    readonly unreadable: ReadonlySet<string>;
  }>;
  /** Keeps the resource of a large event under its `resourceKey`, once for all its messages. Idempotent per event. */
  keepResource(key: string, resource: string, admittedAtMs: number): Promise<void>;
  /** Sends at most ten messages, no two of one ordering key. Answers those that were not taken. Idempotent per message for five minutes. */
  send(messages: readonly Message[]): Promise<readonly Message[]>;
  /** Puts what cannot be used aside. Answers those that could not be. */
  bury(burials: readonly Burial[]): Promise<readonly Burial[]>;
  /** Tells how the batch went; never fails. */
  observe(outcome: MatchOutcome): void;
}

export interface MatchOutcome {
  readonly matched: readonly { readonly event: PaymentEvent; readonly messageCount: number }[];
  readonly buried: readonly Burial[];
  /** Services whose routes cannot be read. */
  readonly unreadable: ReadonlySet<string>;
}

/** Above this the resource does not travel with each message but is stored once. In bytes of UTF-8. */
const TRAVELLING_RESOURCE_BYTES = 16 * 1024;
/** An item of the history holds at most 400 KB; a webhook of more than this is no webhook any more. In bytes of UTF-8. */
const LARGEST_RESOURCE_BYTES = 256 * 1024;

interface Matched {
  readonly admission: Admission;
  readonly event: PaymentEvent;
  readonly messages: readonly Message[];
}

/**
 * Makes messages of events: one for each subscription that wants the event, sent so that those of one ordering key keep the order in which
 * `events.fifo` took the events.
 *
 * @returns the ids of the records that have to come again: not all of their messages could be sent, or they wait behind such a one
 */
export async function match(admissions: readonly Admission[], ports: MatchPorts): Promise<string[]> {
  const burials: Burial[] = [];
  const usable: { admission: Admission; event: PaymentEvent; resource: string }[] = [];
  for (const admission of admissions) {
    const read = readAdmission(admission);
    if ('reason' in read) {
      burials.push({ admission, ...read });
    } else {
      usable.push({ admission, ...read });
    }
  }

  const [unburied, { routes, unreadable }] = await Promise.all([
    burials.length === 0 ? [] : ports.bury(burials),
    usable.length === 0
      ? { routes: new Map<string, readonly Route[]>(), unreadable: new Set<string>() }
      : ports.routesOf([...new Set(usable.map(({ event }) => event.service_id))]),
  ]);

  const matched: Matched[] = [];
  const waiting = usable.filter(({ event }) => unreadable.has(event.service_id));
  for (const { admission, event, resource } of usable.filter((one) => !waiting.includes(one))) {
    const wanted = (routes.get(event.service_id) ?? []).filter((route) => wants(route, event));
    const travels = Buffer.byteLength(resource) <= TRAVELLING_RESOURCE_BYTES;
    if (wanted.length > 0 && !travels) {
      await ports.keepResource(resourceKey(event), resource, admission.admittedAtMs);
    }
    const messages = wanted.map((route) => ({
      ...messageOf(event, route.subscription_id, admission),
      ...(travels ? { resource } : {}),
      ...(admission.receiveCount > 1 ? { sent_before: true } : {}),
    }));
    matched.push({ admission, event, messages });
  }

  const unsent = await sendInOrder(matched, ports);
  const again = matched.filter(({ messages }) => messages.some(({ message_id }) => unsent.has(message_id)));
  const notBuried = new Set(unburied.map(({ admission }) => admission.recordId));
  ports.observe({
    matched: matched
      .filter((one) => !again.includes(one))
      .map(({ event, messages }) => ({ event, messageCount: messages.length })),
    buried: burials.filter(({ admission }) => !notBuried.has(admission.recordId)),
    unreadable,
  });
  return [...[...again, ...waiting].map(({ admission }) => admission.recordId), ...notBuried];
}

/** The event of a record with its resource as JSON text; or why it cannot be used. */
function readAdmission({
  body,
}: Admission): { event: PaymentEvent; resource: string } | Pick<Burial, 'reason' | 'explanation'> {
  const event = readPaymentEvent(parse(body));
  if (!isUsable(event)) {
    return { reason: event.kind, explanation: event.explanation };
  }
  try {
    const resource = JSON.stringify(event.resource);
    const bytes = Buffer.byteLength(resource);
    return bytes > LARGEST_RESOURCE_BYTES
      ? {
          reason: 'too_large',
          explanation: `resource: ${bytes} bytes, at most ${LARGEST_RESOURCE_BYTES} are taken`,
        }
      : { event, resource };
  } catch {
    return { reason: 'malformed', explanation: 'resource: nested too deeply to be written again' };
  }
}

/** Answers the ids of the messages that were not sent, be it that SQS did not take them or that an earlier one of their key was not taken. */
async function sendInOrder(matched: readonly Matched[], ports: MatchPorts): Promise<Set<string>> {
  const unsent = new Set<string>();
  const heldKeys = new Set<string>();
  for (const batch of inSendingOrder(
    matched.flatMap(({ messages }) => messages),
    { keyOf: orderingKey },
  )) {
    const free = batch.filter((message) => !heldKeys.has(orderingKey(message)));
    const refused = free.length === 0 ? [] : await ports.send(free);
    for (const message of refused) {
      heldKeys.add(orderingKey(message));
    }
    for (const message of batch) {
      if (heldKeys.has(orderingKey(message))) {
        unsent.add(message.message_id);
      }
    }
  }
  return unsent;
}

function parse(body: string): unknown {
  try {
    return parseExactly(body);
  } catch {
    return undefined;
  }
}
