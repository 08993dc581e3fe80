import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import type { Timer } from './timer.ts';

/** A timer to be sent on its way. */
export interface Arming {
  readonly timer: Timer;
  /** In ms since 1970, no later than SQS can delay a message. */
  readonly dueAtMs: number;
}

/** None when it is due later than SQS can delay a message. */
export function ifNear(
  arming: Arming,
  nowMs: number,
  { longestTimerMs }: Pick<DeliveryPolicy, 'longestTimerMs'>,
): Arming[] {
  return arming.dueAtMs - nowMs <= longestTimerMs ? [arming] : [];
}

/**
 * When sweep checks what waits for an instant, such as an ordering key: some time after it is due, or before
 * that if it is due too late for a timer.
 */
export function checkAtMs(
  dueAtMs: number,
  nowMs: number,
  policy: Pick<DeliveryPolicy, 'graceMs' | 'longestTimerMs' | 'armedAheadMs'>,
): number {
  return dueAtMs - nowMs > policy.longestTimerMs
    ? dueAtMs - policy.armedAheadMs
    : Math.max(dueAtMs, nowMs) + policy.graceMs;
}
