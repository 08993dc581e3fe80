import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import type { Endpoint } from './endpoints.ts';

/** Without keys of payments that only workers need. */
export function viewOf({
  service_id,
  subscription_id,
  state,
  circuit,
}: Pick<Subscription, 'service_id' | 'subscription_id' | 'state' | 'circuit'>) {
  return { service_id, subscription_id, state, circuit: circuit ?? { state: 'closed' } };
}

/** For programs; what is absent there is not known, or not for whoever asks. */
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
