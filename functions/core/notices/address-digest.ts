import { createHash } from 'node:crypto';

/** Addresses differ by case only for machines. */
export function addressDigest(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('base64url').slice(0, 22);
}
