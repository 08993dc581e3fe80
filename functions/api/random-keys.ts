import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { SECRET_ID_BYTES, SEED_BYTES, SIGNING_SECRET_BYTES, secretOf } from '../core/attempt/signing-keys.ts';

/** The random parts of a signing secret; `brought` is a secret that the partner supplies. */
export function randomKeys(brought: string | undefined) {
  return {
    id: randomBytes(SECRET_ID_BYTES),
    secret: brought ?? secretOf(randomBytes(SIGNING_SECRET_BYTES)),
    seed: randomBytes(SEED_BYTES),
  };
}

/** The field of a response that contains a new secret. */
export const shownOnce = () =>
  z
    .string()
    .optional()
    .describe(
      'The secret that verifies `v1` signatures. Store it now: it is shown only once, and a repeated request does not return it.',
    );
