import type { MessageView } from '../functions/core/message-view.ts';
import type { Receipt } from '../functions/receiver/receipt.ts';

/** An event that was put on the bus and that a subscription should get. */
export interface Expected {
  readonly eventId: string;
  readonly paymentId: string;
  /** Position among the events of its payment. */
  readonly sequence: number;
}

export interface Verdict {
  readonly expected: number;
  readonly delivered: number;
  /** Events that no receiver has accepted. */
  readonly lost: number;
  /** Accepted before an earlier event of the same payment. */
  readonly orderViolations: number;
  /** Accepted once more though the history shows no failed attempt and none that may be missing. */
  readonly repeats: number;
  readonly invalidSignatures: number;
}

/** Matches what receivers accepted, in the order of arrival at each endpoint, with what was sent. */
export function verdict(
  expected: readonly Expected[],
  messages: readonly Pick<MessageView, 'message_id' | 'event_id' | 'attempt_count'>[],
  receipts: readonly Receipt[],
): Verdict {
  const sent = new Map(expected.map((event) => [event.eventId, event]));
  const eventOf = new Map(messages.map(({ message_id, event_id }) => [message_id, event_id]));
  const attemptsOf = new Map(messages.map(({ event_id, attempt_count }) => [event_id, attempt_count]));
  const accepted = new Map<string, number>();
  const lastSequence = new Map<string, number>();
  let orderViolations = 0;
  for (const { webhook_id = '', status } of receipts) {
    const event = sent.get(eventOf.get(webhook_id) ?? '');
    if (event === undefined || status === undefined || status >= 300) {
      continue;
    }
    const before = accepted.get(event.eventId) ?? 0;
    accepted.set(event.eventId, before + 1);
    if (before === 0) {
      orderViolations += event.sequence === (lastSequence.get(event.paymentId) ?? 0) + 1 ? 0 : 1;
      lastSequence.set(event.paymentId, event.sequence);
    }
  }
  return {
    expected: expected.length,
    delivered: accepted.size,
    lost: expected.length - accepted.size,
    orderViolations,
    repeats: [...accepted].filter(([id, times]) => times > 1 && (attemptsOf.get(id) ?? 0) < times).length,
    invalidSignatures: receipts.filter(({ signature }) => signature === 'invalid').length,
  };
}
