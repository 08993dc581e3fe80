import * as z from 'zod';
import { subscriptionView, subscriptionViewSchema } from '../../../core/subscription/subscription-view.ts';
import { describeOperation, operation } from '../../operation.ts';
import { reaches } from '../../owned.ts';
import { SERVICE_HEADER } from '../../sent.ts';
import { statisticsOf, statisticsSchema } from './show-statistics.ts';

export const listSubscriptions = operation({
  id: 'listSubscriptions',
  method: 'GET',
  path: '/v1/subscriptions',
  scope: 'read',
  tag: 'Subscriptions',
  summary: 'List all subscriptions',
  query: z.strictObject({
    with_statistics: z
      .literal('true', 'must be true')
      .optional()
      .describe('`true`: with what was counted of each in the last 48 hours, as `statistics`.'),
  }),
  async run({ serviceId, caller, query }, ports) {
    const all = await ports.subscriptions.list(serviceId);
    const subscriptions = all.filter(({ subscription_id }) => reaches(caller, subscription_id));
    const nowMs = ports.now();
    const oldestFirst = subscriptions.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    const seen = oldestFirst.map(async (one) => {
      const view = subscriptionView(one, nowMs);
      return query.with_statistics
        ? { ...view, statistics: await statisticsOf(one.subscription_id, 'hour', ports) }
        : view;
    });
    return {
      status: 200,
      headers: { [SERVICE_HEADER]: serviceId },
      body: { subscriptions: await Promise.all(seen) },
    };
  },
});

/* @__PURE__ */ describeOperation(
  listSubscriptions,
  'Lists the subscriptions of your service, oldest first. There are at most twenty.',
  () => ({
    200: {
      description: 'All subscriptions.',
      schema: z.object({
        subscriptions: z.array(
          subscriptionViewSchema.extend({
            statistics: statisticsSchema()
              .optional()
              .describe('By the hour. Only with `with_statistics=true`.'),
          }),
        ),
      }),
      headers: { [SERVICE_HEADER]: 'The service whose subscriptions these are: a token does not tell.' },
    },
  }),
);
