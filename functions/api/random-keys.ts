import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { SECRET_ID_BYTES, SEED_BYTES, SIGNING_SECRET_BYTES, secretOf } from '../core/attempt/signing-keys.ts';

/** What a generation is made of: of a secret that a partner brings, or of a new one. */
export function randomKeys(brought: string | undefined) {
  return {
    id: randomBytes(SECRET_ID_BYTES),
    secret: brought ?? secretOf(randomBytes(SIGNING_SECRET_BYTES)),
    seed: randomBytes(SEED_BYTES),
  };
}

/** The member of an answer that holds a new secret. */
export const shownOnce = z
  .string()
  .optional()
  .describe(
    'Verifies the `v1` signatures: keep it now, it is shown this once. Absent in the answer to a repeated request.',
  );
