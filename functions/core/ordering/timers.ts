import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import type { Circuit } from '../circuit/circuit.ts';
import { type Arming, ifNear } from '../signal/due.ts';
import { type OrderingKeyName, signal } from '../signal/signal.ts';

/**
 * The timer of a blocked ordering key; none when it is due later than SQS can delay a message: sweep arms
 * that one.
 */
export function timerOfKey(
  name: OrderingKeyName,
  dueAtMs: number,
  nowMs: number,
  policy: Pick<DeliveryPolicy, 'longestTimerMs'>,
): Arming[] {
  return ifNear({ timer: { ...signal(name, 'resume'), kind: 'signal' }, dueAtMs }, nowMs, policy);
}

/**
 * The timer that a change of a circuit asks for: none when the pending one stays, or it is due too late for
 * SQS.
 */
export function timerOfCircuit(
  { service_id, subscription_id }: Pick<OrderingKeyName, 'service_id' | 'subscription_id'>,
  before: Circuit,
  { generation, timer_at }: Circuit,
  nowMs: number,
  policy: Pick<DeliveryPolicy, 'longestTimerMs'>,
): Arming[] {
  if (generation === before.generation || timer_at === undefined) {
    return [];
  }
  const timer = { v: 1, kind: 'circuit', service_id, subscription_id, generation } as const;
  return ifNear({ timer, dueAtMs: Date.parse(timer_at) }, nowMs, policy);
}
