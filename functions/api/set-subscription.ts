import { nextStanding } from '../core/standing.ts';
import { subscriptionView } from '../core/subscription-view.ts';
import { type Answer, noSuch } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { ownSubscription } from './owned.ts';
import { setOffTick } from './set-off-tick.ts';
import { withStanding } from './with-standing.ts';

/** Stops all attempts: messages wait from now on. */
export function pauseSubscription(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  return setSubscription('paused', request, ports);
}

/** Has a paused or disabled subscription go on: what has waited is delivered, a few payments at a time. */
export function enableSubscription(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  return setSubscription('enabled', request, ports);
}

/** Idempotent: what is so already, or cannot be so, stays as it is, and the answer shows how that is. */
async function setSubscription(
  wish: 'paused' | 'enabled',
  request: ApiRequest,
  ports: ApiPorts,
): Promise<Answer> {
  const subscription = await ownSubscription(request, ports);
  if (subscription === undefined) {
    return noSuch('subscription');
  }
  const change = await ports.subscriptions.changeStanding(subscription, (standing) =>
    nextStanding(standing, { kind: wish }, ports.now(), ports.policy),
  );
  if (change === undefined) {
    return noSuch('subscription');
  }
  ports.standingChanged(subscription, change);
  await setOffTick(subscription, change, ports);
  return { status: 200, body: subscriptionView(withStanding(subscription, change.after)) };
}
