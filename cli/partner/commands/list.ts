import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { textTable } from '../../terminal/text-table.ts';
import { partnerCommand } from '../partner-command.ts';

export const list = partnerCommand({
  name: 'list',
  summary: 'List your subscriptions and their health',
  example: '',
  async run(_, { api, print }) {
    const answer = (await api('GET', '/subscriptions')) as { subscriptions: SubscriptionView[] };
    const { subscriptions } = answer;
    print(
      subscriptions.length === 0 ? 'You have no subscriptions yet: create one.' : tableOf(subscriptions),
      answer,
    );
    return true;
  },
});

function tableOf(subscriptions: readonly SubscriptionView[]): string {
  const rows = subscriptions.map(
    ({ subscription_id, state, circuit, live, event_types, callback_url, description }) => [
      subscription_id,
      state,
      circuit.state,
      live ? 'live' : 'test',
      event_types.join(' '),
      callback_url,
      description,
    ],
  );
  const titles = [
    'subscription',
    'state',
    'circuit',
    'payments',
    'event types',
    'callback URL',
    'description',
  ];
  return textTable([titles, ...rows]).join('\n');
}
