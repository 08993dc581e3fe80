import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';

/** Attempts that have been under way for longer than `slowMs`, as the workers of deliver have said in one second. */
export interface SlowAttempts {
  /** Of one subscription. */
  readonly own: number;
  /** Of the whole stage. */
  readonly all: number;
}

type Policy = Pick<DeliveryPolicy['circuit'], 'slowOfAll' | 'fewestCrowding'>;

/**
 * Whether a subscription has as many slow attempts under way as the stage has room for more of. So one alone may have half of `slowOfAll`, and n of them an (n + 1)th
 * each: whatever they do, room is left. Source: Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", IEEE/ACM
 * Transactions on Networking 6, 1998.
 */
export function isCrowded({ own, all }: SlowAttempts, policy: Policy): boolean {
  return own >= Math.max(policy.fewestCrowding, roomFor(all, policy));
}

/** For so many more slow attempts there is room in the stage; 0 or less when there is none. */
export function roomFor(all: number, { slowOfAll }: Policy): number {
  return slowOfAll - all;
}
