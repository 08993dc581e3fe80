import type { Fed } from '../../../functions/api/feed/take-messages.ts';
import type { Said, Taken } from '../../../functions/api/feed/take-results.ts';
import type { ApiClient } from '../api-client.ts';
import type { Forward } from '../partner-command.ts';

/** One event that was forwarded, and what the endpoint answered. */
export interface Forwarded {
  readonly message: Fed;
  /** Undefined: no answer came. */
  readonly status: number | undefined;
  /** Why the endpoint did not take it; undefined: it did. */
  readonly failure: string | undefined;
  readonly durationMs: number;
}

interface Listening {
  readonly api: ApiClient;
  readonly forward: Forward;
  readonly subscriptionId: string;
  readonly url: string;
  /** A failed event is not tried again: it is cancelled. */
  readonly isOnce: boolean;
  /** Resolves after a time in ms; rejects when the listener is to end. */
  wait(ms: number): Promise<void>;
  now(): number;
  tell(forwarded: Forwarded): void;
}

/** A busy listener asks five times a second: half of what a token usually has. */
const BUSY_MS = 200;
const IDLE_MS = 1_000;
/** Longer than any answer is waited for. */
const LEASE_SECONDS = 60;
const AT_ONCE = 20;

/**
 * Forwards what may be handled, payments side by side, and reports what came of it, until it is to end. The feed
 * keeps the order of each payment.
 */
export async function listen(listening: Listening): Promise<never> {
  const { api, subscriptionId, wait, tell, isOnce } = listening;
  const feed = `/subscriptions/${subscriptionId}/feed`;
  const results: (Said & { readonly message: Fed })[] = [];
  let failure: unknown;

  async function handle(message: Fed): Promise<void> {
    const forwarded = await forwardOne(message, listening);
    tell(forwarded);
    results.push({ ...resultOf(forwarded), message });
  }

  for (;;) {
    if (failure !== undefined) {
      throw failure;
    }
    const some = results.splice(0, AT_ONCE);
    if (some.length > 0) {
      const body = { results: some.map(({ message: _, ...said }) => said) };
      const answer = (await api('POST', `${feed}/results`, { body })) as { results: readonly Taken[] };
      const failed = some.filter(
        ({ outcome }, index) => outcome === 'failed' && answer.results[index]?.state !== 'not_in_hand',
      );
      for (const { message } of isOnce ? failed : []) {
        await api('POST', `/messages/${message.message_id}/cancel`);
      }
    }
    const query = { limit: String(AT_ONCE), lease_seconds: String(LEASE_SECONDS) };
    const { messages } = (await api('GET', feed, { query })) as { messages: readonly Fed[] };
    const handling = messages.map((message) =>
      handle(message).catch((error: unknown) => {
        failure = error;
      }),
    );
    await Promise.race([Promise.all(handling), wait(IDLE_MS)]);
    await wait(messages.length > 0 || results.length > 0 ? BUSY_MS : IDLE_MS);
  }
}

/** Forwards an event as it would have been posted. */
export async function forwardOne(
  message: Fed,
  { forward, url, now }: Pick<Listening, 'forward' | 'url' | 'now'>,
): Promise<Forwarded> {
  const startedAt = now();
  const answer = await forward(url, message);
  const durationMs = Math.round(now() - startedAt);
  if ('failure' in answer) {
    return { message, status: undefined, failure: answer.failure, durationMs };
  }
  const { status } = answer;
  const isTaken = status >= 200 && status < 300;
  return { message, status, failure: isTaken ? undefined : `answered ${status}`, durationMs };
}

function resultOf({ message: { lease_id }, status, failure }: Forwarded): Said {
  return {
    lease_id,
    outcome: failure === undefined ? 'delivered' : 'failed',
    ...(status === undefined ? {} : { status_code: status }),
    ...(failure === undefined ? {} : { reason: failure.slice(0, 200) }),
  };
}
