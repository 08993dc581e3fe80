import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { orderingWaits } from './ordering-wait.ts';
import type { Partner, PartnerSubscription } from './partner.ts';

/** A message in a state that was not reported before. */
export interface News {
  /** Description of the subscription, or its callback URL. */
  readonly subscription: string;
  readonly message: MessageSummary;
  /** The part of its recorded time to send that it waited behind an earlier message; 0 if it did not. */
  readonly orderingWaitMs: number;
}

/** Follows a partner's messages through the HTTP API. Each call returns what is new, oldest first. */
export function deliveryFeed(
  api: Pick<Partner, 'messages'> & { subscriptions(): Promise<readonly PartnerSubscription[]> },
): () => Promise<News[]> {
  const told = new Map<string, string>();
  return async () => {
    const subscriptions = await api.subscriptions();
    const news = await Promise.all(
      subscriptions.map(async ({ subscription_id, description, callback_url }) => {
        const messages = await api.messages(subscription_id);
        const waits = orderingWaits(messages);
        return messages
          .filter((message) => isNew(message, told))
          .map((message) => ({
            subscription: description || callback_url,
            message,
            orderingWaitMs: waits.get(message.message_id) ?? 0,
          }));
      }),
    );
    return news.flat().sort((one, other) => happenedAt(one).localeCompare(happenedAt(other)));
  };
}

function isNew({ message_id, state, attempt_count }: MessageSummary, told: Map<string, string>): boolean {
  const now = `${state} ${attempt_count}`;
  const before = told.get(message_id);
  // Its attempt was reported; that it waits until the next one is no news.
  const waitsOn = state === 'parked' && before === `retrying ${attempt_count}`;
  if (before === now || waitsOn) {
    return false;
  }
  told.set(message_id, now);
  return true;
}

function happenedAt({ message }: News): string {
  return message.last_attempt_at ?? message.admitted_at;
}
