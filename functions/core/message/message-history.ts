import type { Attempt } from '../attempt/attempt.ts';
import type { MessageRecord } from './history.ts';
import type { MessageState } from './message.ts';
import { type MessageSummary, messageSummarySchema } from './message-view.ts';

/** Where a list of messages continues: after this message. */
export type Position = Pick<MessageRecord, 'message_id' | 'admitted_at'>;

export interface RecordedMessage {
  readonly record: MessageRecord;
  /** The second attempt and those after it, in order. */
  readonly laterAttempts: readonly Attempt[];
}

/** The messages of a subscription; or those of a payment, in all subscriptions of its service or in one. */
export type MessagesOf =
  | { readonly subscriptionId: string; readonly paymentId?: undefined }
  | { readonly serviceId: string; readonly paymentId: string; readonly subscriptionId?: string };

export interface PageWanted {
  readonly limit: number;
  /** Absent: start with the newest. */
  readonly after?: Position;
  /** Only messages admitted at or after this time. */
  readonly since?: string | undefined;
  /** Only messages admitted before this time, which is later than `since`. */
  readonly until?: string | undefined;
  /** Only messages in this state; absent: all. */
  readonly state?: MessageState | undefined;
  /** Only messages of this event type; absent: all. */
  readonly eventType?: string | undefined;
}

export interface Page {
  readonly messages: MessageSummary[];
  /** Where the next page starts; absent on the last page. */
  readonly next?: Position;
}

/** What happened to messages. Does not check who asks: see `owned.ts`. */
export interface MessageHistory {
  /**
   * The messages after a position, newest first. May lag by about a second. Messages admitted
   * meanwhile come before the position, so they neither duplicate nor hide others. With any filter but a
   * time, a call examines a limited number of messages: its page may be short or empty and still have a
   * `next`. That position reveals nothing of the messages of another service, even where payment ids are the
   * same.
   */
  page(of: MessagesOf, wanted: PageWanted): Promise<Page>;
  find(messageId: string): Promise<RecordedMessage | undefined>;
  /**
   * How a message fared: its record without the body, and the last of its later attempts, so many at most,
   * without what was answered.
   */
  course(messageId: string, maxLaterAttempts: number): Promise<RecordedMessage | undefined>;
  /** The JSON text of a resource that is too large for the records of its messages. */
  resource(resourceKey: string): Promise<string | undefined>;
}

function courseOf(
  { body: _, resource_key: __, first_attempt, ...record }: MessageRecord,
  laterAttempts: readonly Attempt[],
): RecordedMessage {
  const withoutAnswer = ({ response_body: ___, ...attempt }: Attempt): Attempt => attempt;
  return {
    record: {
      ...record,
      ...(first_attempt === undefined ? {} : { first_attempt: withoutAnswer(first_attempt) }),
    },
    laterAttempts: laterAttempts.map(withoutAnswer),
  };
}

/** Keeps the promises of the port, over fixed messages. A filtered page examines at most `maxExamined`. */
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
      const isFiltered = of.paymentId !== undefined || state !== undefined || eventType !== undefined;
      const examined = isFiltered ? rest.slice(0, maxExamined) : rest;
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
    course: async (messageId, max) =>
      messages
        .filter(({ record }) => record.message_id === messageId)
        .map(({ record, laterAttempts }) => courseOf(record, max === 0 ? [] : laterAttempts.slice(-max)))[0],
    resource: async (eventId) => resources[eventId],
  };
}
