import type { PaymentEvent } from '../../core/event/event.ts';
import { type Message, messageOf, resourceKey } from '../../core/message/message.ts';
import type { Admitted } from '../../core/sequence/admission.ts';
import type { PaymentSequence } from '../../core/sequence/payment-sequence.ts';
import { type Route, wants } from '../../core/subscription/subscription.ts';
import type { Intake } from './ports.ts';

/** An event with its resource: JSON text, or where it is stored if it is large. */
export interface Usable {
  readonly intake: Intake;
  readonly event: PaymentEvent;
  readonly resource?: string | undefined;
  readonly resource_key?: string | undefined;
}

/** An event that goes on now. */
export interface Going extends Usable {
  /** Its own record or, if it was early, that of the event for which it waited, or of a signal. */
  readonly intake: Intake;
  /** As in a message. */
  readonly orderNumber: string;
  readonly admittedAtMs: number;
  /** When `events.fifo` took it, in ms since 1970, if it waited for its turn. */
  readonly arrivedAtMs?: number | undefined;
}

/** An event and its messages: one for each subscription that wants it. */
export interface Matched extends Going {
  readonly messages: readonly Message[];
}

export function matchedOf(going: Going, routes: readonly Route[]): Matched {
  const messages = routes
    .filter((route) => wants(route, going.event))
    .map((route) => messageFor(going, route));
  return { ...going, messages };
}

/** Likewise of a numbered event: each message says where it stands, counted on from what was `sent` before. */
export function numberedMatchedOf(
  going: Going,
  { sequence, mark, isUnplaced }: Admitted,
  routes: readonly Route[],
  sent: PaymentSequence['sent'],
): { readonly matched: Matched; readonly sent: PaymentSequence['sent'] } {
  const { messages, ...rest } = matchedOf(going, routes);
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

function messageFor(going: Going, { subscription_id }: Route): Message {
  const { intake, event, resource, resource_key, orderNumber, admittedAtMs, arrivedAtMs } = going;
  return {
    ...messageOf(event, subscription_id, { admittedAtMs, orderNumber }),
    ...(arrivedAtMs === undefined ? {} : { arrived_at_ms: arrivedAtMs }),
    ...(resource === undefined ? {} : { resource }),
    // Deliver looks there anyway.
    ...(resource_key === undefined || resource_key === resourceKey(event) ? {} : { resource_key }),
    ...(intake.receiveCount > 1 ? { sent_before: true } : {}),
  };
}
