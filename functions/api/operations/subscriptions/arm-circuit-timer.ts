import type { Subscription } from '../../../core/subscription/subscription.ts';
import type { ApiPorts } from '../../api-request.ts';
import type { EndpointHealthChange } from '../../ports/subscription-registry.ts';

/** Arms the timer that a changed circuit asks for. If it is due too far ahead, `sweep` arms it later. */
export async function armCircuitTimer(
  { service_id, subscription_id }: Subscription,
  { before, after }: EndpointHealthChange,
  { arm, now, policy }: Pick<ApiPorts, 'arm' | 'now' | 'policy'>,
): Promise<void> {
  const { tick: generation, tick_at } = after.circuit;
  if (generation === before.circuit.tick || tick_at === undefined) {
    return;
  }
  const dueAtMs = Date.parse(tick_at);
  if (dueAtMs - now() <= policy.longestTimerMs) {
    await arm([{ timer: { v: 1, kind: 'tick', service_id, subscription_id, tick: generation }, dueAtMs }]);
  }
}
