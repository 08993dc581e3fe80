import type { MessageSummary } from '../functions/core/message-view.ts';
import type { LocalOutputs } from './outputs.ts';

export interface PartnerSubscription {
  readonly subscription_id: string;
  readonly callback_url: string;
  readonly description: string;
}

/** The API answered with something else than 2xx. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(call: string, status: number, answer: string) {
    super(`${call} was answered with ${status}: ${answer}`);
    this.status = status;
  }
}

/** The HTTP API as a partner uses it. Each call throws RefusedError when the answer is not 2xx, with what it says. */
export function partner({ apiUrl, token }: Pick<LocalOutputs, 'apiUrl' | 'token'>, signal?: AbortSignal) {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${apiUrl}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!answer.ok) {
      throw new RefusedError(`${method} ${path}`, answer.status, await answer.text());
    }
    return answer.status === 204 ? undefined : answer.json();
  };
  return {
    async subscribe(wish: {
      callback_url: string;
      description: string;
      event_types: string[];
      live: boolean;
    }) {
      return (await call('POST', '/subscriptions', wish)) as PartnerSubscription & { signing_secret: string };
    },
    async unsubscribe(subscriptionId: string): Promise<void> {
      await call('DELETE', `/subscriptions/${subscriptionId}`);
    },
    async subscriptions(): Promise<readonly PartnerSubscription[]> {
      return ((await call('GET', '/subscriptions')) as { subscriptions: PartnerSubscription[] })
        .subscriptions;
    },
    /** The newest hundred, newest first; none when the subscription has been deleted. */
    async messages(subscriptionId: string): Promise<readonly MessageSummary[]> {
      const page = await call('GET', `/subscriptions/${subscriptionId}/messages?limit=100`).catch(
        (error: unknown) => {
          if (error instanceof RefusedError && error.status === 404) {
            return { messages: [] };
          }
          throw error;
        },
      );
      return (page as { messages: MessageSummary[] }).messages;
    },
    /** All there are, newest first. */
    async allMessages(subscriptionId: string): Promise<readonly MessageSummary[]> {
      const all: MessageSummary[] = [];
      let cursor: string | undefined;
      do {
        const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = (await call('GET', `/subscriptions/${subscriptionId}/messages?limit=100${from}`)) as {
          messages: MessageSummary[];
          next_cursor?: string;
        };
        all.push(...page.messages);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      return all;
    },
  };
}

export type Partner = ReturnType<typeof partner>;
