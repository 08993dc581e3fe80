import type { ExtraSignature } from '../subscription/subscription.ts';
import { MalformedSecretError, paySignature, v1, v1a } from './signature-schemes.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What is signed for one attempt, and with which keys. */
export interface Signable {
  readonly messageId: string;
  /** Unix seconds of this attempt. */
  readonly timestampSeconds: number;
  /** The body as it is sent, in UTF-8. */
  readonly body: string;
  /** The active ones, newest first: several while a secret is being rotated. */
  readonly keys: readonly Pick<SigningKeys, 'secret' | 'private_key'>[];
  /** Those that the subscription wants besides `v1`. */
  readonly extraSignatures?: readonly ExtraSignature[];
  /** 1 for the first. */
  readonly attempt: number;
}

/**
 * The headers of one attempt, signed once with each active secret. Source: Standard Webhooks 1.0.0,
 * "Signature scheme" and "Webhook headers"; `webhook-attempt` is ours, `pay-signature` GOV.UK Pay's.
 *
 * @throws MalformedSecretError when a secret is not one, or when there is none: nothing goes out unsigned.
 */
export function signedHeaders({
  messageId,
  timestampSeconds,
  body,
  keys,
  extraSignatures = [],
  attempt,
}: Signable): Record<string, string> {
  // `Pay-Signature` has room for one value, and a receiver that is not up to date knows the oldest secret.
  const oldest = keys.at(-1);
  if (oldest === undefined) {
    throw new MalformedSecretError('there is no secret to sign with');
  }
  const head = `${messageId}.${timestampSeconds}.`;
  const signatures = [
    ...keys.map(({ secret }) => v1(secret, head, body)),
    ...(extraSignatures.includes('v1a') ? keys.map(({ private_key }) => v1a(private_key, head, body)) : []),
  ];
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Payhooks/1 (payment webhooks)',
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
    'webhook-attempt': String(attempt),
    ...(extraSignatures.includes('pay-signature')
      ? { 'pay-signature': paySignature(oldest.secret, body) }
      : {}),
  };
}
