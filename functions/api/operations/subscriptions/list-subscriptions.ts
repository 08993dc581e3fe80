import * as z from 'zod';
import { subscriptionView, subscriptionViewSchema } from '../../../core/subscription/subscription-view.ts';
import { describeOperation, operation } from '../../operation.ts';
import { reaches } from '../../owned.ts';
import { SERVICE_HEADER } from '../../sent.ts';

export const listSubscriptions = operation({
  id: 'listSubscriptions',
  method: 'GET',
  path: '/v1/subscriptions',
  scope: 'read',
  tag: 'Subscriptions',
  summary: 'List all subscriptions',
  async run({ serviceId, caller }, ports) {
    const all = await ports.subscriptions.list(serviceId);
    const subscriptions = all.filter(({ subscription_id }) => reaches(caller, subscription_id));
    const nowMs = ports.now();
    const oldestFirst = subscriptions.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    return {
      status: 200,
      headers: { [SERVICE_HEADER]: serviceId },
      body: { subscriptions: oldestFirst.map((one) => subscriptionView(one, nowMs)) },
    };
  },
});

/* @__PURE__ */ describeOperation(
  listSubscriptions,
  'Lists the subscriptions of your service, oldest first. There are at most twenty.',
  () => ({
    200: {
      description: 'All subscriptions.',
      schema: z.object({ subscriptions: z.array(subscriptionViewSchema) }),
      headers: { [SERVICE_HEADER]: 'The service whose subscriptions these are: a token does not tell.' },
    },
  }),
);
