import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../core/circuit/endpoint-health.ts';
import { timerOfCircuit } from '../../core/ordering/timers.ts';
import type { Timer } from '../../core/signal/timer.ts';
import { isGone, type Subscription, withEndpointHealth } from '../../core/subscription/subscription.ts';
import { instant } from '../../core/text/instant.ts';
import type { WakePorts } from './ports.ts';

/** Deletes a subscription whose feed has not been asked for so long, as its partner would. */
export async function carryOutExpiry(
  timer: Extract<Timer, { kind: 'expiry' }>,
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<void> {
  const subscription = await ports.subscription(timer);
  const hasExpired = ({ expires_at, ...of }: Subscription) =>
    !isGone(of) && expires_at !== undefined && Date.parse(expires_at) <= ports.now();
  if (subscription === undefined || !hasExpired(subscription)) {
    return ports.observer.stale(timer);
  }
  const revised = await ports.revise(subscription, (current) => {
    const health = nextEndpointHealth(endpointHealthOf(current), { kind: 'deleted' }, ports.now(), policy);
    return { subscription: hasExpired(current) ? withEndpointHealth(current, health) : current };
  });
  if (revised === undefined || 'status' in revised || revised.after === revised.before) {
    return ports.observer.stale(timer);
  }
  const { service_id, subscription_id } = timer;
  const [before, after] = [endpointHealthOf(revised.before), endpointHealthOf(revised.after)];
  ports.observer.timerFired(subscription, before, after, 0);
  await ports.keepChange({
    ...{ service_id, subscription_id, at: instant(ports.now()), operation: 'deleteSubscription' },
    ...{ request_id: 'expired', token_id: 'expired' },
  });
  await ports.arm(timerOfCircuit(subscription, before.circuit, after.circuit, ports.now(), policy));
}
