import { RefusedError } from '../../core/errors/refused-error.ts';
import { isNumbered, type PaymentEvent } from '../../core/event/event.ts';
import { type Message, messageOf, resourceKey } from '../../core/message/message.ts';
import type { PaymentName, PaymentSequence } from '../../core/sequence/payment-sequence.ts';
import type { Admitted } from '../../core/sequence/steps.ts';
import type { GapSignal } from '../../core/signal/gap-signal.ts';
import { type Route, wants } from '../../core/subscription/subscription.ts';
import type { DeadEvent, Intake, MatchPorts } from './ports.ts';
import type { Failures } from './stuck/failures.ts';

/** An event with its resource: JSON text, or where it is stored if it is large. */
export interface Usable {
  readonly intake: Intake;
  readonly event: PaymentEvent;
  readonly resource?: string | undefined;
  readonly resource_key?: string | undefined;
}

/** An event, or a gap signal. */
export type Arrived = Usable | { readonly intake: Intake; readonly signal: GapSignal };

export function paymentOf(one: Arrived): PaymentName {
  return 'event' in one ? one.event : one.signal;
}

/** An event that goes on now. */
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
 * Stores large resources. An event whose resource could not be stored does not go on, nor do those behind it
 * in its payment.
 */
export async function keepResources(
  usable: readonly Usable[],
  routesOf: (serviceId: string) => readonly Route[],
  ports: Pick<MatchPorts, 'keepResource' | 'internalError'>,
  failures: Failures,
): Promise<{ kept: Usable[]; unkept: Usable[]; refused: DeadEvent[] }> {
  // A numbered event may have to wait, and who wants it then is not known yet.
  const isWanted = ({ event }: Usable) =>
    isNumbered(event) || routesOf(event.service_id).some((route) => wants(route, event));
  const outcomes = new Map<Usable, { readonly key: string } | { readonly error: unknown }>();
  await Promise.all(
    usable.map(async (one) => {
      const { event, resource, intake } = one;
      if (resource !== undefined && !travels(resource) && isWanted(one)) {
        try {
          outcomes.set(one, { key: await ports.keepResource(event, resource, intake.admittedAtMs) });
        } catch (error) {
          outcomes.set(one, { error });
        }
      }
    }),
  );
  const kept: Usable[] = [];
  const unkept: Usable[] = [];
  const refused: DeadEvent[] = [];
  const stoppedPayments = new Set<string>();
  for (const one of usable) {
    const { intake, event } = one;
    const payment = `${event.service_id} ${event.payment_id}`;
    const outcome = outcomes.get(one);
    if (stoppedPayments.has(payment)) {
      unkept.push(one);
    } else if (outcome === undefined) {
      kept.push(one);
    } else if ('key' in outcome) {
      failures.passed('resource', event);
      kept.push({ intake, event, resource_key: outcome.key });
    } else if (outcome.error instanceof RefusedError) {
      refused.push({ intake, reason: 'unstorable', explanation: outcome.error.message });
    } else {
      ports.internalError(outcome.error, 1);
      failures.failed({ payment: event, intake, step: 'resource', error: outcome.error });
      stoppedPayments.add(payment);
      unkept.push(one);
    }
  }
  return { kept, unkept, refused };
}

function travels(resource: string): boolean {
  return Buffer.byteLength(resource) <= TRAVELLING_RESOURCE_BYTES;
}

export function matchedOf(inTurn: EventInTurn, routes: readonly Route[]): Matched {
  const messages = routes
    .filter((route) => wants(route, inTurn.event))
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

function messageFor(inTurn: EventInTurn, { subscription_id }: Route): Message {
  const { intake, event, resource, resource_key, orderNumber, admittedAtMs, arrivedAtMs } = inTurn;
  return {
    ...messageOf(event, subscription_id, { admittedAtMs, orderNumber }),
    ...(arrivedAtMs === undefined ? {} : { arrived_at_ms: arrivedAtMs }),
    ...(resource === undefined ? {} : { resource }),
    // Deliver looks there anyway.
    ...(resource_key === undefined || resource_key === resourceKey(event) ? {} : { resource_key }),
    ...(intake.receiveCount > 1 ? { sent_before: true } : {}),
  };
}
