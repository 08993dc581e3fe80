import type { AttemptResult } from '../attempt/attempt.ts';
import { CHALLENGE } from '../catalogue/ping-names.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { type Message, messageId } from './message.ts';

/** Random bytes of a challenge: half of them name it, half have to be repeated. */
export const CHALLENGE_BYTES = 32;

/**
 * The message that an endpoint has to answer before it gets events. It has an ordering key of its own, and is
 * retried as any other message of its subscription.
 *
 * @param bytes `CHALLENGE_BYTES` random ones
 */
export function challengeOf(
  { service_id, subscription_id, live }: Pick<Subscription, 'service_id' | 'subscription_id' | 'live'>,
  bytes: Uint8Array,
  nowMs: number,
): Message {
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('base64url');
  const name = `${CHALLENGE}-${text(0, CHALLENGE_BYTES / 2)}`;
  return {
    v: 1,
    message_id: messageId({ service_id, payment_id: name, event_id: name, subscription_id }),
    event_id: name,
    service_id,
    subscription_id,
    payment_id: name,
    event_type: CHALLENGE,
    resource_type: CHALLENGE,
    resource_id: name,
    live,
    admitted_at_ms: nowMs,
    occurred_at: new Date(nowMs).toISOString(),
    order_number: '0'.repeat(20),
    resource: JSON.stringify({ [CHALLENGE]: text(CHALLENGE_BYTES / 2, CHALLENGE_BYTES) }),
  };
}

/**
 * The result of an attempt at a challenge: a 2xx that does not repeat it is a failure. The answer is its text
 * alone, or a JSON object whose `challenge` it is: what merely mirrors the request has that elsewhere.
 *
 * @param resource of the challenge, as JSON text
 */
export function afterEcho(result: AttemptResult, resource: string): AttemptResult {
  const { challenge } = JSON.parse(resource) as { readonly challenge: string };
  return result.failure_class !== undefined || echoIn(result.response_body ?? '') === challenge
    ? result
    : {
        ...result,
        failure_class: 'not_echoed',
        failure_reason:
          'The answer did not repeat the challenge: it must be the value of resource.challenge as plain text, or {"challenge":"…"} with that value.',
      };
}

function echoIn(body: string): unknown {
  const text = body.trim();
  if (!text.startsWith('{')) {
    return text;
  }
  try {
    return (JSON.parse(text) as { readonly challenge?: unknown }).challenge;
  } catch {
    return undefined;
  }
}
