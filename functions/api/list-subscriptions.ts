import { subscriptionView } from '../core/subscription-view.ts';
import type { Answer } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';

/** All subscriptions of the service, oldest first. */
export async function listSubscriptions({ serviceId }: ApiRequest, ports: ApiPorts): Promise<Answer> {
  const subscriptions = await ports.subscriptions.list(serviceId);
  const oldestFirst = subscriptions.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  return {
    status: 200,
    body: { subscriptions: oldestFirst.map(subscriptionView) },
  };
}
