import type { Attempt } from '../attempt/attempt.ts';
import { type PaymentName, paymentKey } from '../sequence/payment-sequence.ts';
import type { MessageRecord } from './history.ts';
import { type MessageState, type ResourceName, resourceKey } from './message.ts';
import { type MessageSummary, messageSummarySchema } from './message-view.ts';

/** Where a list of messages continues: after this message. */
export type Position = Pick<MessageRecord, 'message_id' | 'admitted_at'>;

export interface RecordedMessage {
  readonly record: MessageRecord;
  /** The second attempt and those after it, in order. */
  readonly laterAttempts: readonly Attempt[];
}

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

/** More messages and attempts of one payment are not read at once: about 10 MB. */
export const MAX_ITEMS_OF_A_PAYMENT = 10_000;

/** What happened to messages. Does not check who asks: see `owned.ts`. */
export interface MessageHistory {
  /**
   * The messages of a subscription after a position, newest first. May lag by about a second. Messages
   * admitted meanwhile come before the position, so they neither duplicate nor hide others. With an event
   * type, or the state `succeeded`, a call examines a limited number of messages: its page may be short or
   * empty and still have a `next`.
   */
  page(subscriptionId: string, wanted: PageWanted): Promise<Page>;
  /**
   * All messages of a payment, newest first, without their resources and what was answered. Strongly
   * consistent. Undefined: with their attempts they are more than `MAX_ITEMS_OF_A_PAYMENT`.
   */
  payment(payment: PaymentName): Promise<readonly RecordedMessage[] | undefined>;
  find(messageId: string): Promise<RecordedMessage | undefined>;
  /** The JSON text of a resource that is too large for the records of its messages. */
  resource(of: ResourceName): Promise<string | undefined>;
}

/** The order of lists. Messages of one instant have an order, too, or a page could repeat one. */
export function newestFirst(one: Position, other: Position): number {
  const [text, otherText] = [positionText(one), positionText(other)];
  return text < otherText ? 1 : text > otherText ? -1 : 0;
}

const positionText = ({ admitted_at, message_id }: Position) => `${admitted_at} ${message_id}`;

/** What follows a position, up to a limit, of what is given newest first; and where the next page starts. */
export function pageAfter<One>(
  all: readonly One[],
  positionOf: (one: One) => Position,
  { limit, after }: Pick<PageWanted, 'limit' | 'after'>,
): { readonly shown: readonly One[]; readonly next?: Position } {
  const rest = all.filter((one) => after === undefined || newestFirst(after, positionOf(one)) < 0);
  const shown = rest.slice(0, limit);
  const last = rest.length > limit ? shown.at(-1) : undefined;
  if (last === undefined) {
    return { shown };
  }
  const { message_id, admitted_at } = positionOf(last);
  return { shown, next: { message_id, admitted_at } };
}

/** The page of some messages, given newest first, that match. */
export function pageOf(
  records: readonly MessageRecord[],
  { since = '', until, state, eventType, ...wanted }: PageWanted,
): Page {
  const found = records
    .filter(({ admitted_at }) => admitted_at >= since && (until === undefined || admitted_at < until))
    .filter((record) => (state ?? record.state) === record.state)
    .filter((record) => (eventType ?? record.event_type) === record.event_type);
  const { shown, ...next } = pageAfter(found, (record) => record, wanted);
  return { messages: shown.map((record) => messageSummarySchema.parse(record)), ...next };
}

function courseOf(
  { resource: _, first_attempt, ...record }: MessageRecord,
  laterAttempts: readonly Attempt[],
): RecordedMessage {
  const withoutAnswer = ({ response_body: __, ...attempt }: Attempt): Attempt => attempt;
  return {
    record: {
      ...record,
      ...(first_attempt === undefined ? {} : { first_attempt: withoutAnswer(first_attempt) }),
    },
    laterAttempts: laterAttempts.map(withoutAnswer),
  };
}

/** Keeps the promises of the port. */
export function inMemoryHistory(
  messages: readonly RecordedMessage[],
  resources: Readonly<Record<string, string>> = {},
): MessageHistory {
  const sorted = () => [...messages].sort((one, other) => newestFirst(one.record, other.record));
  return {
    page: async (subscriptionId, wanted) =>
      pageOf(
        sorted()
          .map(({ record }) => record)
          .filter((record) => record.subscription_id === subscriptionId),
        wanted,
      ),
    payment: async (payment) =>
      sorted()
        .filter(({ record }) => paymentKey(record) === paymentKey(payment))
        .map(({ record, laterAttempts }) => courseOf(record, laterAttempts)),
    find: async (messageId) => messages.find(({ record }) => record.message_id === messageId),
    resource: async (of) => resources[resourceKey(of)],
  };
}
