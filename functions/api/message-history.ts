import type { Attempt } from '../core/attempt.ts';
import type { Position } from '../core/cursor.ts';
import type { MessageRecord } from '../core/history.ts';
import { type MessageSummary, messageSummarySchema } from '../core/message-view.ts';

export interface RecordedMessage {
  readonly record: MessageRecord;
  /** From the second on, in the order in which they happened. */
  readonly laterAttempts: readonly Attempt[];
}

/** What became of messages. It does not ask who wants to know: see `owned.ts`. */
export interface MessageHistory {
  /** The messages of a subscription after a position, newest admission first. May lag by a second or so. */
  page(
    subscriptionId: string,
    wanted: { readonly limit: number; readonly after?: Position },
  ): Promise<{ readonly messages: MessageSummary[]; readonly more: boolean }>;
  find(messageId: string): Promise<RecordedMessage | undefined>;
  /** The JSON text of a resource that was too large for the records of its messages. */
  resource(resourceKey: string): Promise<string | undefined>;
}

/** Keeps the promises of the port over a fixed set of messages. */
export function inMemoryHistory(
  messages: readonly RecordedMessage[],
  resources: Readonly<Record<string, string>> = {},
): MessageHistory {
  const place = ({ admitted_at, message_id }: Position) => `${admitted_at} ${message_id}`;
  return {
    page: async (subscriptionId, { limit, after }) => {
      const rest = messages
        .map(({ record }) => messageSummarySchema.parse(record))
        .filter((summary) => summary.subscription_id === subscriptionId)
        .filter((summary) => after === undefined || place(summary) < place(after))
        .sort((a, b) => (place(a) < place(b) ? 1 : -1));
      return { messages: rest.slice(0, limit), more: rest.length > limit };
    },
    find: async (messageId) => messages.find(({ record }) => record.message_id === messageId),
    resource: async (eventId) => resources[eventId],
  };
}
