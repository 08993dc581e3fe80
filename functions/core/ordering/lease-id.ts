import * as z from 'zod/mini';

/** Where a lease is: with this, a result finds it. The id alone makes it hard to guess. */
export interface LeaseName {
  readonly payment_id: string;
  readonly position: string;
  readonly id: string;
}

const LEASE_ID = 'lea_';
const nameSchema = z.tuple([
  z.string().check(z.regex(/^[A-Za-z0-9_-]{1,80}$/)),
  z.string().check(z.regex(/^~?[0-9.]{1,64}$/)),
  z.string().check(z.regex(/^[A-Za-z0-9_-]{1,40}$/)),
]);

/** The longest `lease_id` that we write has some 250 characters. */
export const MAX_LEASE_ID_CHARACTERS = 300;

/** One text for partners, who send it back as it is. */
export function leaseId({ payment_id, position, id }: LeaseName): string {
  const text = JSON.stringify([payment_id, position, id]);
  return LEASE_ID + Buffer.from(text).toString('base64url');
}

/** Undefined: we have not written this. */
export function leaseNamed(leaseId: string): LeaseName | undefined {
  if (!leaseId.startsWith(LEASE_ID)) {
    return undefined;
  }
  try {
    const text = Buffer.from(leaseId.slice(LEASE_ID.length), 'base64url').toString();
    const [payment_id, position, id] = nameSchema.parse(JSON.parse(text));
    return { payment_id, position, id };
  } catch {
    return undefined;
  }
}
