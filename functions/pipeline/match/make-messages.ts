import { RefusedError } from '../../core/errors/refused-error.ts';
import { isNumbered, type PaymentEvent } from '../../core/event/event.ts';
import { projected } from '../../core/filter/fields.ts';
import { filteredEvent } from '../../core/filter/filtered-event.ts';
import type { FilteredEvent } from '../../core/filter/pattern.ts';
import { type Message, messageOf } from '../../core/message/message.ts';
import { type PaymentName, type PaymentSequence, paymentKey } from '../../core/sequence/payment-sequence.ts';
import type { Admitted } from '../../core/sequence/steps.ts';
import type { GapSignal } from '../../core/signal/gap-signal.ts';
import { type Route, wants } from '../../core/subscription/subscription.ts';
import type { Intake, MatchPorts } from './ports.ts';
import type { Results } from './results.ts';

/** An event with its resource: JSON text; absent if it is large and was stored. */
export interface Usable {
  readonly intake: Intake;
  readonly event: PaymentEvent;
  readonly resource?: string | undefined;
  /** The JSON text of a large one that was stored. */
  readonly text?: string | undefined;
}

/** An event, or a gap signal. */
export type Arrived = Usable | { readonly intake: Intake; readonly signal: GapSignal };

export function paymentOf(one: Arrived): PaymentName {
  return 'event' in one ? one.event : one.signal;
}

/** An event that is admitted now. */
export interface EventInTurn extends Usable {
  /** Its own record or, if it was early, that of the event for which it waited, or of a signal. */
  readonly intake: Intake;
  /** As in a message. */
  readonly orderNumber: string;
  readonly admittedAtMs: number;
  /** When `events.fifo` took it, in ms since 1970, if it waited for its turn. */
  readonly arrivedAtMs?: number | undefined;
}

/** An event and its messages: one for each subscription that wants it. */
export interface Matched extends EventInTurn {
  readonly messages: readonly Message[];
}

/** A larger resource is stored once instead of being in each message. In bytes of UTF-8. */
const TRAVELLING_RESOURCE_BYTES = 16 * 1024;

/**
 * Stores large resources. An event whose resource could not be stored is redelivered, and with it those
 * behind it in its payment; one whose resource the store refuses is dead-lettered.
 *
 * @returns the others
 */
export async function storeResources(
  usable: readonly Usable[],
  routesOf: (serviceId: string) => readonly Route[],
  ports: Pick<MatchPorts, 'keepResource' | 'internalError'>,
  results: Results,
): Promise<Usable[]> {
  // A numbered event may have to wait, and who wants it then is not known yet. Fields are cut out of the text.
  const isWanted = (one: Usable) => {
    const { event } = one;
    const seen = seenOf(one);
    return (
      isNumbered(event) ||
      routesOf(event.service_id).some((route) => route.fields === undefined && wants(route, event, seen))
    );
  };
  const storings = new Map<Usable, 'stored' | { readonly error: unknown }>();
  await Promise.all(
    usable.map(async (one) => {
      const { event, resource, intake } = one;
      if (resource !== undefined && !travels(resource) && isWanted(one)) {
        try {
          await ports.keepResource(event, resource, intake.admittedAtMs);
          storings.set(one, 'stored');
        } catch (error) {
          storings.set(one, { error });
        }
      }
    }),
  );
  const stopped = new Set<string>();
  return usable.flatMap((one) => {
    const { intake, event } = one;
    const storing = storings.get(one);
    if (stopped.size > 0 && stopped.has(paymentKey(event))) {
      results.again([intake]);
      return [];
    }
    if (storing === undefined) {
      return [one];
    }
    if (storing === 'stored') {
      results.passed('resource', event);
      return [{ intake, event, text: one.resource }];
    }
    const { error } = storing;
    if (error instanceof RefusedError) {
      results.dead([{ intake, reason: 'unstorable', explanation: error.message }]);
    } else {
      ports.internalError(error, 1);
      results.failed({ payment: event, intake, step: 'resource', error });
      results.again([intake]);
      stopped.add(paymentKey(event));
    }
    return [];
  });
}

function travels(resource: string): boolean {
  return Buffer.byteLength(resource) <= TRAVELLING_RESOURCE_BYTES;
}

/** What filters see of an event: parsed when the first of them looks, and once. */
function seenOf({ event, resource, text = resource }: Usable): () => FilteredEvent | undefined {
  let seen: FilteredEvent | undefined;
  return () => {
    if (text !== undefined) {
      seen ??= filteredEvent({ ...event, event_type: event.public_type }, text);
    }
    return seen;
  };
}

export function matchedOf(inTurn: EventInTurn, routes: readonly Route[]): Matched {
  const seen = seenOf(inTurn);
  const messages = routes
    .filter((route) => wants(route, inTurn.event, seen))
    .map((route) => messageFor(inTurn, route));
  return { ...inTurn, messages };
}

/**
 * Likewise of a numbered event: each message says where it stands, counted on from what was `sent` before.
 */
export function numberedMatchedOf(
  inTurn: EventInTurn,
  { sequence, mark, isUnplaced }: Admitted,
  routes: readonly Route[],
  sent: PaymentSequence['sent'],
): { readonly matched: Matched; readonly sent: PaymentSequence['sent'] } {
  const { messages, ...rest } = matchedOf(inTurn, routes);
  const marked = {
    sequence,
    ...(mark === 'gap_before' ? { gap_before: true } : {}),
    ...(mark === 'late' ? { came_late: true } : {}),
    // Whoever does not know whether it came before has to look it up in the history.
    ...(isUnplaced ? { sent_before: true } : {}),
  };
  if (isUnplaced) {
    return { matched: { ...rest, messages: messages.map((message) => ({ ...message, ...marked })) }, sent };
  }
  const placed = messages.map((message) => {
    const before = sent[message.subscription_id];
    const position = (before?.position ?? 0) + 1;
    const previous = before === undefined ? {} : { previous_message_id: before.message_id };
    return { ...message, ...marked, position, ...previous };
  });
  const news = placed.map(({ subscription_id, position, message_id }) => [
    subscription_id,
    { position, message_id },
  ]);
  return { matched: { ...rest, messages: placed }, sent: { ...sent, ...Object.fromEntries(news) } };
}

function messageFor(inTurn: EventInTurn, { subscription_id, fields }: Route): Message {
  const { intake, event, text = inTurn.resource, orderNumber, admittedAtMs, arrivedAtMs } = inTurn;
  // Cut here and once: whatever the subscription asks for later, each attempt sends the same bytes.
  const resource = fields === undefined ? inTurn.resource : projected(text ?? '{}', fields);
  return {
    ...messageOf(event, subscription_id, { admittedAtMs, orderNumber }),
    ...(arrivedAtMs === undefined ? {} : { arrived_at_ms: arrivedAtMs }),
    ...(resource === undefined ? {} : { resource }),
    ...(fields === undefined ? {} : { fields }),
    ...(intake.receiveCount > 1 ? { sent_before: true } : {}),
  };
}
