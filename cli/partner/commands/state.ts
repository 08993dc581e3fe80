import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { printable, textTable } from '../../terminal/terminal.ts';
import type { ApiClient } from '../api-client.ts';
import { ID, partnerCommand } from '../partner-command.ts';
import { subscriptionText } from '../text/subscription-text.ts';
import type { Statistics } from './statistics.ts';

export const pause = setting('pause', 'Pause a subscription: messages wait from now on');
export const enable = setting(
  'enable',
  'Enable a subscription, or say that its endpoint is back, or have it challenged again',
);

function setting(name: 'pause' | 'enable', summary: string) {
  return partnerCommand({
    name,
    arguments: { subscription: ID },
    summary,
    example: 'sub_2cXj1x8',
    async run(given, { api, print }) {
      const path = `/subscriptions/${given.subscription}/${name}`;
      const subscription = (await api('POST', path)) as SubscriptionView;
      const { subscription_id, state, circuit, challenge_id } = subscription;
      const next = state === 'unproven' ? ` Its endpoint has to answer the challenge ${challenge_id}.` : '';
      print(`${subscription_id} is ${state}, its circuit ${circuit.state}.${next}`, subscription);
      return true;
    },
  });
}

export const deleteIt = partnerCommand({
  name: 'delete',
  arguments: { subscription: ID },
  summary: 'Delete a subscription for good; messages that wait are cancelled',
  example: 'sub_2cXj1x8 --yes',
  options: { yes: { help: 'do it; without it, the command only says what would happen' } },
  async run(given, { api, print }) {
    if (!given.yes) {
      throw new ExplainedError(await consequences(given.subscription, api));
    }
    await api('DELETE', `/subscriptions/${given.subscription}`);
    print(`${given.subscription} is deleted.`, { subscription_id: given.subscription, state: 'deleted' });
    return true;
  },
});

/** @throws RefusedError when there is no such subscription */
async function consequences(id: string, api: ApiClient): Promise<string> {
  const { callback_url } = (await api('GET', `/subscriptions/${id}`)) as SubscriptionView;
  const { waiting } = (await api('GET', `/subscriptions/${id}/statistics`)) as Statistics;
  const { count, is_more } = waiting;
  const cancelled =
    count === 0
      ? 'No message waits that would be cancelled.'
      : `${is_more ? 'More than ' : ''}${count} ${count === 1 ? 'message that waits' : 'messages that wait'} would be cancelled.`;
  return [
    `${id} (${printable(callback_url)}) would be deleted, for good. ${cancelled}`,
    'Its list of messages would go with it; you would still find each message by its payment.',
    'Nothing has been done yet. To delete it, add --yes.',
  ].join('\n');
}

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
