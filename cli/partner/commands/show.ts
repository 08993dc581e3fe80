import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import type { Command } from '../command.ts';
import { subscriptionText } from '../text/subscription-text.ts';

export const show: Command = {
  name: 'show',
  takes: ['subscription'],
  summary: 'One subscription: how it is set, and how it fares',
  async run({ named }, { api, print }) {
    const subscription = (await api('GET', `/subscriptions/${named.subscription}`)) as SubscriptionView;
    print(subscriptionText(subscription), subscription);
    return true;
  },
};
