import type { EndpointHealthChange } from '../../../core/api/subscription-registry.ts';
import { timerOfCircuit } from '../../../core/ordering/timers.ts';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import type { ApiPorts } from '../../api-request.ts';

/** Arms the timer that a changed circuit asks for. If it is due too far ahead, `sweep` arms it later. */
export async function armCircuitTimer(
  subscription: Subscription,
  { before, after }: EndpointHealthChange,
  { arm, now, policy }: Pick<ApiPorts, 'arm' | 'now' | 'policy'>,
): Promise<void> {
  const armings = timerOfCircuit(subscription, before.circuit, after.circuit, now(), policy);
  if (armings.length > 0) {
    await arm(armings);
  }
}
