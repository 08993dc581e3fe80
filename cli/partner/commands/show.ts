import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { ID, partnerCommand } from '../partner-command.ts';
import { subscriptionText } from '../text/subscription-text.ts';

export const show = partnerCommand({
  name: 'show',
  arguments: { subscription: ID },
  summary: 'Show a subscription: its settings and its health',
  example: 'sub_2cXj1x8',
  async run(given, { api, print }) {
    const subscription = (await api('GET', `/subscriptions/${given.subscription}`)) as SubscriptionView;
    print(subscriptionText(subscription), subscription);
    return true;
  },
});
