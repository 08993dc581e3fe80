import * as z from 'zod/mini';

/** Signatures besides Standard Webhooks' `v1`: its `v1a` (ed25519), the header of GOV.UK Pay, and RFC 9421. */
export const EXTRA_SIGNATURES = ['v1a', 'pay-signature', 'rfc9421'] as const;
export type ExtraSignature = (typeof EXTRA_SIGNATURES)[number];

/** The public part of a signing secret. Instants are ISO 8601 in UTC with milliseconds. */
export const signingSecretInfoSchema = z.object({
  secret_id: z.string(),
  /** Verifies its `v1a` signatures: `whpk_` and base64. */
  public_key: z.string(),
  created_at: z.string(),
  /** When it stops signing; absent: it signs until it is rotated or revoked. */
  expires_at: z.optional(z.string()),
});
export type SigningSecretInfo = z.infer<typeof signingSecretInfoSchema>;
