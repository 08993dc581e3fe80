import { type Answer, noSuch } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { ownSubscription } from './owned.ts';

/** Ends a subscription: events accepted from now on become no messages of it. */
export async function deleteSubscription(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  const subscription = await ownSubscription(request, ports);
  const removed =
    subscription !== undefined &&
    (await ports.subscriptions.remove(subscription.service_id, subscription.subscription_id));
  return removed ? { status: 204 } : noSuch('subscription');
}
