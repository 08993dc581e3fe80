import type { Attempt } from '../core/attempt.ts';
import type { Position } from '../core/cursor.ts';
import type { MessageRecord } from '../core/history.ts';
import type { MessageState } from '../core/message.ts';
import { type MessageSummary, messageSummarySchema } from '../core/message-view.ts';

export interface RecordedMessage {
  readonly record: MessageRecord;
  /** From the second on, in the order in which they happened. */
  readonly laterAttempts: readonly Attempt[];
}

export interface PageWanted {
  readonly limit: number;
  /** Absent: from the newest on. */
  readonly after?: Position;
  /** Only messages in this state; absent: all. */
  readonly state?: MessageState;
}

export interface Page {
  readonly messages: MessageSummary[];
  /** Where the list goes on; absent when it has ended. */
  readonly next?: Position;
}

/** What became of messages. It does not ask who wants to know: see `owned.ts`. */
export interface MessageHistory {
  /**
   * The messages of a subscription after a position, newest admission first. May lag by a second or so. When a state is wanted, only so many
   * are looked through at a time: a page may then be short, or empty, and still lead on.
   */
  page(subscriptionId: string, wanted: PageWanted): Promise<Page>;
  find(messageId: string): Promise<RecordedMessage | undefined>;
  /** The JSON text of a resource that was too large for the records of its messages. */
  resource(resourceKey: string): Promise<string | undefined>;
}

/** Keeps the promises of the port over a fixed set of messages. Looks through `mostExamined` at a time when a state is wanted. */
export function inMemoryHistory(
  messages: readonly RecordedMessage[],
  resources: Readonly<Record<string, string>> = {},
  mostExamined = 1_000,
): MessageHistory {
  const place = ({ admitted_at, message_id }: Position) => `${admitted_at} ${message_id}`;
  return {
    page: async (subscriptionId, { limit, after, state }) => {
      const rest = messages
        .map(({ record }) => messageSummarySchema.parse(record))
        .filter((summary) => summary.subscription_id === subscriptionId)
        .filter((summary) => after === undefined || place(summary) < place(after))
        .sort((a, b) => (place(a) < place(b) ? 1 : -1));
      const examined = state === undefined ? rest : rest.slice(0, mostExamined);
      const found = examined.filter((summary) => state === undefined || summary.state === state);
      const shown = found.slice(0, limit);
      const next = found.length > limit ? shown.at(-1) : rest.length > examined.length && examined.at(-1);
      return { messages: shown, ...(next ? { next } : {}) };
    },
    find: async (messageId) => messages.find(({ record }) => record.message_id === messageId),
    resource: async (eventId) => resources[eventId],
  };
}
