import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';

/** Attempts under way for longer than `slowMs`, as the deliver workers counted them in one second. */
export interface SlowAttempts {
  /** Of one subscription. */
  readonly own: number;
  /** Of the whole stage. */
  readonly all: number;
}

/** How much of some time a worker could not see any answer in: its process was stopped, or busy. */
interface Moment {
  readonly atMs: number;
  /** By then, summed since some time. */
  readonly blindMs: number;
}

/** Whether an attempt is slow: an endpoint must not answer for the time in which its worker was blind. */
export function isSlow(
  started: Moment,
  now: Moment,
  { slowMs }: Pick<DeliveryPolicy['circuit'], 'slowMs'>,
): boolean {
  return now.atMs - started.atMs - (now.blindMs - started.blindMs) >= slowMs;
}

type Policy = Pick<DeliveryPolicy['circuit'], 'slowOfAll' | 'fewestCrowding'>;

/**
 * Whether a subscription has as many slow attempts under way as the stage has room for more. One subscription
 * alone may take half of `slowOfAll`, and n of them a share of 1/(n + 1) each, so some room is always left.
 * Source: Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", IEEE/ACM
 * Transactions on Networking 6, 1998.
 */
export function isCrowded({ own, all }: SlowAttempts, policy: Policy): boolean {
  return own >= Math.max(policy.fewestCrowding, roomFor(all, policy));
}

/** How many more slow attempts the stage has room for; 0 or less when there is none. */
export function roomFor(all: number, { slowOfAll }: Policy): number {
  return slowOfAll - all;
}
