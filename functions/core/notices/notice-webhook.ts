import { createHmac } from 'node:crypto';
import { v1a } from '../attempt/signature.ts';
import { keyPairOf } from '../attempt/signing-keys.ts';
import { USER_AGENT } from '../attempt/user-agent.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { headlineOf } from './mail.ts';
import type { Notice } from './notice.ts';

/**
 * The ed25519 key that signs the notices of a subscription, as Standard Webhooks writes it. Not its signing
 * secrets, which only `deliver` can open; each has its own, so that nobody can pass on a notice of another.
 *
 * @param stageKey 32 random bytes
 */
export function noticeKey(stageKey: Uint8Array, subscriptionId: string): ReturnType<typeof keyPairOf> {
  const mac = createHmac('sha256', stageKey).update(`payhooks notices webhook\n${subscriptionId}`);
  return keyPairOf(mac.digest());
}

type About = Pick<Subscription, 'service_id' | 'subscription_id' | 'description' | 'live'>;

/**
 * A notice as a webhook: the headers of Standard Webhooks, signed with `v1a`, and the body.
 *
 * @param tries 0 for the first
 */
export function noticeWebhook(
  notice: Notice,
  { service_id, subscription_id, description, live }: About,
  {
    stageKey,
    tries,
    nowMs,
  }: { readonly stageKey: Uint8Array; readonly tries: number; readonly nowMs: number },
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const { notice_id, kind, ...about } = notice;
  const body = JSON.stringify({
    ...{ event_type: 'notice', notice_id, kind, text: headlineOf(notice) },
    ...{ service_id, subscription_id, description, live },
    ...about,
  });
  const timestamp = String(Math.floor(nowMs / 1_000));
  const { private_key } = noticeKey(stageKey, subscription_id);
  return {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': USER_AGENT,
      'webhook-id': notice_id,
      'webhook-timestamp': timestamp,
      'webhook-signature': v1a(private_key, `${notice_id}.${timestamp}.`, body),
      'webhook-attempt': String(tries + 1),
    },
    body,
  };
}
