import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import type { Endpoint } from '../../../functions/core/trouble/endpoints.ts';

/** Without the ordering keys that only workers need. */
export function viewOf({
  service_id,
  subscription_id,
  state,
  circuit,
}: Pick<Subscription, 'service_id' | 'subscription_id' | 'state' | 'circuit'>) {
  return { service_id, subscription_id, state, circuit: circuit ?? { state: 'closed' } };
}

/** For programs. What is absent is not known, or the caller may not see it. */
export function viewOfEndpoint({ subscription, health, figures, lastError, waiting, refused }: Endpoint) {
  const { callback_url, description } = subscription;
  return {
    ...viewOf(subscription),
    health,
    callback_url,
    description,
    last_error: lastError,
    recent_attempts: figures,
    waiting,
    refused_payments: refused,
  };
}
