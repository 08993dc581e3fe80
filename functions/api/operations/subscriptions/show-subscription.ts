import { noSuch } from '../../../core/api/answer.ts';
import { etagOf } from '../../../core/api/etag.ts';
import { subscriptionView, subscriptionViewSchema } from '../../../core/subscription/subscription-view.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';
import { ETAG } from './change-own.ts';

export const showSubscription = operation({
  id: 'showSubscription',
  method: 'GET',
  path: '/v1/subscriptions/:subscription_id',
  scope: 'read',
  tag: 'Subscriptions',
  summary: 'Retrieve a subscription',
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    return subscription === undefined
      ? noSuch('subscription', request.params)
      : {
          status: 200,
          headers: { etag: etagOf(subscription) },
          body: subscriptionView(subscription, ports.now()),
        };
  },
});

/* @__PURE__ */ describeOperation(
  showSubscription,
  'Retrieves a subscription: its settings, and the state of its circuit.',
  () => ({
    200: { description: 'The subscription.', schema: subscriptionViewSchema, headers: ETAG },
  }),
);
