import { nextStanding } from '../core/standing.ts';
import { noSuch } from './answer.ts';
import { operation } from './operation.ts';
import { ownSubscription } from './owned.ts';
import { setOffTick } from './set-off-tick.ts';

export const deleteSubscription = operation({
  id: 'deleteSubscription',
  method: 'DELETE',
  path: '/v1/subscriptions/:subscription_id',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'End a subscription',
  description:
    'Events accepted from now on become no messages of it, and those that wait are cancelled. Its list of messages goes with it.',
  answers: { 204: { description: 'It is gone.' } },
  problems: ['contended'],
  async run(request, ports) {
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
    return { status: 204, change: { subscription_id: subscription.subscription_id } };
  },
});
