import { subscriptionView } from '../core/subscription-view.ts';
import { type Answer, noSuch } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { ownSubscription } from './owned.ts';

export async function showSubscription(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  const subscription = await ownSubscription(request, ports);
  return subscription === undefined
    ? noSuch('subscription')
    : { status: 200, body: subscriptionView(subscription) };
}
