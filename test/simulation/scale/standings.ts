import { endpointHealthOf } from '../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../functions/core/subscription/subscription.ts';
import { subscriptionItem, subscriptionOf, type Tables } from './tables.ts';

/**
 * Writes how a subscription stands, as the adapter's `standingUpdate` would: on condition of the circuit's revision.
 *
 * @returns how it stands otherwise
 */
export function replaceEndpointHealth(
  { subscriptions }: Tables,
  name: { readonly service_id: string; readonly subscription_id: string },
  before: EndpointHealth,
  { state, disabled_reason, disabled_at, circuit }: EndpointHealth,
): 'written' | 'gone' | EndpointHealth {
  const current = subscriptionOf(subscriptions.peek(name.service_id, name.subscription_id));
  if (current === undefined) {
    return 'gone';
  }
  if (endpointHealthOf(current).circuit.revision !== before.circuit.revision) {
    subscriptions.check(name.service_id, name.subscription_id, 1);
    return endpointHealthOf(current);
  }
  const { disabled_reason: _, disabled_at: __, ...lasting } = current;
  subscriptions.put(
    subscriptionItem({
      ...lasting,
      state,
      circuit,
      ...(disabled_reason === undefined ? {} : { disabled_reason }),
      ...(disabled_at === undefined ? {} : { disabled_at }),
    }),
    1,
  );
  return 'written';
}
