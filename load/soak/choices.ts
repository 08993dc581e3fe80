import { matchesPattern } from '../../functions/core/catalogue/catalogue.ts';
import { messageId } from '../../functions/core/message/message.ts';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { EventCatalogue } from '../../lib/events/event-catalogue.ts';
import type { Expected } from '../lab/scenario/expected.ts';

/**
 * What a subscription wants from some moment between the call that asked for it and its answer, ms since
 * 1970.
 */
export interface Choice {
  readonly askedAtMs: number;
  /** Absent while the call is under way: it may have been executed. */
  readonly answeredAtMs?: number;
  /** None: it is deleted. */
  readonly eventTypes: readonly string[];
}

/** A subscription that comes and goes. */
export interface Guest {
  readonly subscriptionId: string;
  readonly endpoint: string;
  /** The first one created it. */
  readonly choices: readonly Choice[];
}

export interface PublishedEvent {
  readonly serviceId: string;
  readonly eventId: string;
  readonly paymentId: string;
  readonly sequence: number;
  readonly eventType: string;
  readonly sentAtMs: number;
  readonly confirmedAtMs: number;
}

/**
 * Events find their subscriptions when match takes them in: as soon as they are sent, or this long after the
 * bus confirmed them, when their worker was killed or a gap in the sequence was waited for.
 */
const ROUTED_WITHIN_MS = 150_000;

const { catalogue } = EventCatalogue.govUkPay();

/** Whether a guest should have got an event; undefined when it changed its choices at about that time. */
function wants(
  { choices }: Guest,
  { eventType, sentAtMs, confirmedAtMs }: PublishedEvent,
): boolean | undefined {
  const untilMs = confirmedAtMs + ROUTED_WITHIN_MS;
  const publicType = catalogue.typeOf(eventType)?.name;
  const before: Choice = { askedAtMs: 0, answeredAtMs: 0, eventTypes: [] };
  const answers = [before, ...choices].flatMap((choice, index) => {
    const beginsMs = choice.askedAtMs;
    const endsMs = index < choices.length ? (choices[index]?.answeredAtMs ?? Infinity) : Infinity;
    const isInEffect = beginsMs <= untilMs && endsMs >= sentAtMs;
    return isInEffect
      ? [publicType !== undefined && choice.eventTypes.some((pattern) => matchesPattern(publicType, pattern))]
      : [];
  });
  return new Set(answers).size === 1 ? answers[0] : undefined;
}

/**
 * What history should have of guests: what they wanted, and, of what they wanted or not just then, what it
 * has. `unwanted` are on record all the same.
 */
export function expectedOfGuests(
  guests: readonly Guest[],
  events: readonly PublishedEvent[],
  recorded: ReadonlyMap<string, MessageSummary>,
): { readonly expected: readonly Expected[]; readonly unwanted: readonly string[] } {
  const expected: Expected[] = [];
  const unwanted: string[] = [];
  for (const guest of guests) {
    for (const event of events) {
      const { serviceId, eventId, paymentId, sequence, sentAtMs } = event;
      const { subscriptionId } = guest;
      const id = messageId({
        service_id: serviceId,
        payment_id: paymentId,
        event_id: eventId,
        subscription_id: subscriptionId,
      });
      const wanted = wants(guest, event);
      if (wanted === false && recorded.has(id)) unwanted.push(id);
      if (wanted === true || recorded.has(id)) {
        expected.push({
          messageId: id,
          eventId,
          paymentId,
          subscriptionId,
          sequence,
          sentAtMs,
          group: 'guests',
        });
      }
    }
  }
  return { expected, unwanted };
}

/** The choice with which each guest left that has gone, by subscription. */
export function departures(guests: readonly Guest[]): ReadonlyMap<string, Choice> {
  return new Map(
    guests.flatMap(({ subscriptionId, choices }) => {
      const last = choices.at(-1);
      return last?.eventTypes.length === 0 ? [[subscriptionId, last] as const] : [];
    }),
  );
}
