import { createHmac, timingSafeEqual } from 'node:crypto';

/** `unchecked`: the endpoint has no secret. */
export const SIGNATURE_FINDINGS = ['valid', 'invalid', 'unchecked'] as const;
type SignatureFinding = (typeof SIGNATURE_FINDINGS)[number];

/**
 * Source: Standard Webhooks 1.0.0, "Verifying webhook authenticity"; its libraries allow five minutes both
 * ways.
 */
const TOLERANCE_SECONDS = 300;

export interface SignedWebhook {
  /** The bytes as received. */
  readonly body: Uint8Array;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Whether one of the `v1` signatures was made with the secret (`whsec_...`), at a time within the tolerance.
 *
 * Written from the standard, not from the code that signs, so that a mistake there cannot confirm itself
 * here.
 */
export function checkSignature(
  webhook: SignedWebhook,
  secret: string | undefined,
  nowMs: number,
): SignatureFinding {
  if (secret === undefined) return 'unchecked';
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures,
  } = webhook.headers;
  if (!id || !timestamp || !signatures || !isRecent(timestamp, nowMs)) return 'invalid';
  const expected = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(webhook.body)
    .digest();
  const found = signatures.split(' ').some((signature) => isSame(signature, expected));
  return found ? 'valid' : 'invalid';
}

function isRecent(timestamp: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS;
}

function isSame(signature: string, expected: Buffer): boolean {
  if (!signature.startsWith('v1,')) return false;
  const given = Buffer.from(signature.slice('v1,'.length), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
