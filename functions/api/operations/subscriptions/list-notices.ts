import { noSuch } from '../../../core/api/answer.ts';
import { noticesView, noticesViewSchema } from '../../../core/notices/notices-view.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';

export const listNotices = operation({
  id: 'listNotices',
  method: 'GET',
  path: '/v1/subscriptions/:subscription_id/notices',
  scope: 'read',
  tag: 'Subscriptions',
  summary: 'List notices, newest first',
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    return subscription === undefined
      ? noSuch('subscription', request.params)
      : {
          status: 200,
          body: noticesView(await ports.notices(subscription.subscription_id), subscription),
        };
  },
});

/* @__PURE__ */ describeOperation(
  listNotices,
  'Lists what was told of a subscription, when, to whom and how: by mail to its `contact`, and by webhooks to its `notices_url`. Empty where the stage sends no notices.',
  () => ({ 200: { description: 'The notices of the subscription.', schema: noticesViewSchema() } }),
);
