import type { Position } from '../../../core/api/cursor.ts';
import type { Attempt } from '../../../core/attempt/attempt.ts';
import type { MessageRecord } from '../../../core/message/history.ts';
import type { MessageState } from '../../../core/message/message.ts';
import { type MessageSummary, messageSummarySchema } from '../../../core/message/message-view.ts';

export interface RecordedMessage {
  readonly record: MessageRecord;
  /** From the second on, in the order in which they happened. */
  readonly laterAttempts: readonly Attempt[];
}

/** All messages of a subscription, or those of a payment of a service: then of all its subscriptions, or of one. */
export type MessagesOf =
  | { readonly subscriptionId: string; readonly paymentId?: undefined }
  | { readonly serviceId: string; readonly paymentId: string; readonly subscriptionId?: string };

export interface PageWanted {
  readonly limit: number;
  /** Absent: from the newest on. */
  readonly after?: Position;
  /** Only messages that were admitted from this instant on … */
  readonly since?: string | undefined;
  /** … and before this one, which is later. */
  readonly until?: string | undefined;
  /** Only messages in this state; absent: all. */
  readonly state?: MessageState | undefined;
  /** Only messages of this event type; absent: all. */
  readonly eventType?: string | undefined;
}

export interface Page {
  readonly messages: MessageSummary[];
  /** Where the list goes on; absent when it has ended. */
  readonly next?: Position;
}

/** What became of messages. It does not ask who wants to know: see `owned.ts`. */
export interface MessageHistory {
  /**
   * The messages after a position, newest admission first. May lag by a second or so. What is admitted meanwhile comes before the position: it neither
   * doubles nor hides others. Where something but a time is wanted of them, only so many are looked through at a time: a page may then be short, or
   * empty, and still lead on. Where it leads tells nothing of another service's messages, though these may have the same payment id.
   */
  page(of: MessagesOf, wanted: PageWanted): Promise<Page>;
  find(messageId: string): Promise<RecordedMessage | undefined>;
  /** The JSON text of a resource that was too large for the records of its messages. */
  resource(resourceKey: string): Promise<string | undefined>;
}

/** Keeps the promises of the port over a fixed set of messages. Looks through `mostExamined` at a time for those that are wanted. */
export function inMemoryHistory(
  messages: readonly RecordedMessage[],
  resources: Readonly<Record<string, string>> = {},
  maxExamined = 1_000,
): MessageHistory {
  const position = ({ admitted_at, message_id }: Position) => `${admitted_at} ${message_id}`;
  return {
    page: async (of, { limit, after, since = '', until, state, eventType }) => {
      const rest = messages
        .map(({ record }) => record)
        .filter((record) =>
          of.paymentId === undefined
            ? record.subscription_id === of.subscriptionId
            : record.payment_id === of.paymentId && record.service_id === of.serviceId,
        )
        .filter(({ admitted_at }) => admitted_at >= since && (until === undefined || admitted_at < until))
        .filter((record) => after === undefined || position(record) < position(after))
        .sort((a, b) => (position(a) < position(b) ? 1 : -1));
      const isSifted = of.paymentId !== undefined || state !== undefined || eventType !== undefined;
      const examined = isSifted ? rest.slice(0, maxExamined) : rest;
      const found = examined
        .filter(
          (record) =>
            of.paymentId === undefined ||
            (of.subscriptionId ?? record.subscription_id) === record.subscription_id,
        )
        .filter((record) => (state ?? record.state) === record.state)
        .filter((record) => (eventType ?? record.event_type) === record.event_type);
      const shown = found.slice(0, limit);
      const next = found.length > limit ? shown.at(-1) : rest.length > examined.length && examined.at(-1);
      return {
        messages: shown.map((record) => messageSummarySchema.parse(record)),
        ...(next ? { next: { message_id: next.message_id, admitted_at: next.admitted_at } } : {}),
      };
    },
    find: async (messageId) => messages.find(({ record }) => record.message_id === messageId),
    resource: async (eventId) => resources[eventId],
  };
}
