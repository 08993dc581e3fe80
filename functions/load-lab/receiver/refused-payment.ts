import { createHash } from 'node:crypto';

const RANGE = 2 ** 32;

/**
 * Whether an endpoint that refuses this share of its payments (0 to 1) refuses this one. A hash of the
 * payment id decides, so each attempt and each instance decides alike, and the share alone predicts which
 * payments are refused. A larger share refuses the same payments and more.
 */
export function refusesPayment(share: number, paymentId: string): boolean {
  return createHash('sha256').update(paymentId).digest().readUInt32BE(0) / RANGE < share;
}
