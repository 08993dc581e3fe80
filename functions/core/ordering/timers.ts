import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import type { Circuit } from '../circuit/circuit.ts';
import { type Arming, ifNear } from '../signal/due.ts';
import { type OrderingKeyName, signal } from '../signal/signal.ts';
import type { Timer } from '../signal/timer.ts';

/** What a blocked ordering key waits for. */
export function keyTimer(name: OrderingKeyName): Timer {
  return { ...signal(name, 'resume'), kind: 'signal' };
}

/** What a circuit waits for. */
export function circuitTimer(
  { service_id, subscription_id }: Pick<OrderingKeyName, 'service_id' | 'subscription_id'>,
  { generation }: Circuit,
): Timer {
  return { v: 1, kind: 'circuit', service_id, subscription_id, generation };
}

/** What a subscription waits for that expires. */
export function expiryTimer({
  service_id,
  subscription_id,
}: Pick<OrderingKeyName, 'service_id' | 'subscription_id'>): Timer {
  return { v: 1, kind: 'expiry', service_id, subscription_id };
}

/**
 * The timer that a change of a circuit asks for: none when the pending one stays, or it is due too late for
 * SQS.
 */
export function timerOfCircuit(
  subscription: Pick<OrderingKeyName, 'service_id' | 'subscription_id'>,
  before: Circuit,
  after: Circuit,
  nowMs: number,
  policy: Pick<DeliveryPolicy, 'longestTimerMs'>,
): Arming[] {
  return after.generation === before.generation || after.timer_at === undefined
    ? []
    : ifNear(
        { timer: circuitTimer(subscription, after), dueAtMs: Date.parse(after.timer_at) },
        nowMs,
        policy,
      );
}
