import type { EndpointView } from '../../../../functions/core/trouble/endpoint-view.ts';

/** An endpoint in trouble, as the API answers it. */
export const endpoint = (subscription_id: string, more: Partial<EndpointView> = {}): EndpointView => ({
  service_id: 'shop',
  subscription_id,
  state: 'active',
  circuit: { state: 'open' },
  health: 'failing',
  waiting: 1,
  attempts: 1,
  failed_attempts: 1,
  refused_payments: 0,
  ...more,
});
