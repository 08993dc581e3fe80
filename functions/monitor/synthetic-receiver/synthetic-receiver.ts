import * as z from 'zod/mini';
import { checkSignature } from '../../core/attempt/check-signature.ts';

/**
 * Header of the doctor's own webhooks: the secret that signs them. So the receiver has to remember nothing and may read nothing, and whoever else calls it
 * learns no more than that they can sign.
 */
export const SECRET_HEADER = 'doctor-secret';

/** What the receiver answers: the history keeps it, which proves that this very message has been here. */
export const receiptSchema = z.object({ signature: z.enum(['valid', 'invalid']), webhook_id: z.string() });
export type Receipt = z.infer<typeof receiptSchema>;

export interface Call {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as received. */
  readonly body: Uint8Array;
}

/** Answers 200 to a webhook that was signed with the secret it brings along, and 401 to anything else. */
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
