import { createHash } from 'node:crypto';

const RANGE = 2 ** 32;

/**
 * Whether an endpoint that refuses this share of its payments (0 to 1) refuses this one: a hash of the payment's id decides, so it is the same ones
 * at every attempt and on every instance, and whoever knows the share knows which. A larger share refuses the same ones and more.
 */
export function refusesPayment(share: number, paymentId: string): boolean {
  return createHash('sha256').update(paymentId).digest().readUInt32BE(0) / RANGE < share;
}
