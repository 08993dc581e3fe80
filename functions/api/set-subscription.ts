import { nextStanding } from '../core/standing.ts';
import { subscriptionView, subscriptionViewSchema } from '../core/subscription-view.ts';
import { type Answer, noSuch } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { operation } from './operation.ts';
import { ownSubscription } from './owned.ts';
import { setOffTick } from './set-off-tick.ts';
import { withStanding } from './with-standing.ts';

export const pauseSubscription = operation({
  id: 'pauseSubscription',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/pause',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Stop all attempts: messages wait from now on',
  answers: { 200: { description: 'How the subscription stands now.', schema: subscriptionViewSchema } },
  problems: ['contended'],
  run: (request, ports) => setSubscription('paused', request, ports),
});

export const enableSubscription = operation({
  id: 'enableSubscription',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/enable',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Go on after a pause, or after the subscription was disabled',
  description: 'What has waited is delivered, a few payments at a time.',
  answers: { 200: { description: 'How the subscription stands now.', schema: subscriptionViewSchema } },
  problems: ['contended'],
  run: (request, ports) => setSubscription('enabled', request, ports),
});

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
  const { before, after } = change;
  return {
    status: 200,
    body: subscriptionView(withStanding(subscription, after)),
    ...(after.state === before.state
      ? {}
      : {
          change: {
            subscription_id: subscription.subscription_id,
            changed: { state: { from: before.state, to: after.state } },
          },
        }),
  };
}
