import { nextStanding } from '../core/standing.ts';
import { type Answer, noSuch } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { ownSubscription } from './owned.ts';
import { setOffTick } from './set-off-tick.ts';

/** Ends a subscription: events accepted from now on become no messages of it, and those that wait are cancelled. */
export async function deleteSubscription(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  const subscription = await ownSubscription(request, ports);
  if (subscription === undefined) {
    return noSuch('subscription');
  }
  const change = await ports.subscriptions.remove(subscription, (standing) =>
    nextStanding(standing, { kind: 'deleted' }, ports.now(), ports.policy),
  );
  if (change === undefined) {
    return noSuch('subscription');
  }
  ports.standingChanged(subscription, change);
  await setOffTick(subscription, change, ports);
  return { status: 204 };
}
