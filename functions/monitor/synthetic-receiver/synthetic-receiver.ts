import * as z from 'zod/mini';
import { checkSignature } from '../../core/attempt/check-signature.ts';

/**
 * Custom header of the doctor's webhooks: the secret that signs them. So the receiver needs no state and no
 * permissions, and other callers can only learn that they can sign.
 */
export const SECRET_HEADER = 'doctor-secret';

/** What the receiver answers. The history records it, which proves that this message arrived here. */
export const receiptSchema = z.object({ signature: z.enum(['valid', 'invalid']), webhook_id: z.string() });
export type Receipt = z.infer<typeof receiptSchema>;

export interface Call {
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as received. */
  readonly body: Uint8Array;
}

/** Answers 200 to a webhook signed with the secret in its own header, and 401 to anything else. */
export function syntheticReceiver(
  call: Call,
  nowMs: number,
): { readonly statusCode: 200 | 401; readonly receipt: Receipt } {
  const secret = call.headers[SECRET_HEADER];
  const isValid = checkSignature(call, secret, nowMs) === 'valid';
  const webhook_id = call.headers['webhook-id'] ?? '';
  return {
    statusCode: isValid ? 200 : 401,
    receipt: { signature: isValid ? 'valid' : 'invalid', webhook_id: isValid ? webhook_id : '' },
  };
}
