import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { type ApiClient, apiClient, type Connection, isMissing } from './api-client.ts';

/** The HTTP API for a partner. Each call throws RefusedError with the answer's text if it is not 2xx. */
export function partner(connection: Connection, signal?: AbortSignal) {
  const call = apiClient(connection, signal === undefined ? {} : { signal });
  return {
    async subscribe(wanted: {
      callback_url: string;
      description: string;
      event_types: string[];
      live: boolean;
    }) {
      const answer = await call('POST', '/subscriptions', { body: wanted });
      return answer as SubscriptionView & { signing_secret: string };
    },
    async unsubscribe(subscriptionId: string): Promise<void> {
      await call('DELETE', `/subscriptions/${subscriptionId}`);
    },
    async subscriptions(): Promise<readonly SubscriptionView[]> {
      return ((await call('GET', '/subscriptions')) as { subscriptions: SubscriptionView[] }).subscriptions;
    },
    /** A link that signs one person in to the console, with all rights of the token. */
    async consoleLink(): Promise<string> {
      const answer = await call('POST', '/portal-sessions', { body: { rights: 'manage' } });
      return `${connection.apiUrl}${(answer as { console_path: string }).console_path}`;
    },
    /** A page of a hundred, newest first; an empty one when the subscription has been deleted. */
    messages: (subscriptionId: string, query: PageQuery = {}) => pageOrNone(call, subscriptionId, query),
    /** All there are, newest first. */
    async allMessages(subscriptionId: string): Promise<readonly MessageSummary[]> {
      const all: MessageSummary[] = [];
      let cursor: string | undefined;
      do {
        const page = await messagePage(call, subscriptionId, { limit: '100', cursor });
        all.push(...page.messages);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      return all;
    },
  };
}

/** What it takes to tell subscriptions apart. */
export type PartnerSubscription = Pick<SubscriptionView, 'subscription_id' | 'callback_url' | 'description'>;

export type Partner = ReturnType<typeof partner>;

export interface MessagePage {
  readonly messages: readonly MessageSummary[];
  readonly next_cursor?: string;
}

export async function messagePage(
  call: ApiClient,
  subscriptionId: string,
  query: Readonly<Record<string, string | undefined>>,
): Promise<MessagePage> {
  return (await call('GET', `/subscriptions/${subscriptionId}/messages`, { query })) as MessagePage;
}

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly until?: string;
}

/** A page of a hundred, newest first; an empty one when the subscription is not there any more. */
export async function pageOrNone(
  call: ApiClient,
  subscriptionId: string,
  query: PageQuery,
): Promise<MessagePage> {
  try {
    return await messagePage(call, subscriptionId, { limit: '100', ...query });
  } catch (error) {
    if (isMissing(error)) {
      return { messages: [] };
    }
    throw error;
  }
}
