import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import type { Command } from '../command.ts';
import { SECRET, SETTINGS, secretIn, settingsIn } from '../subscription-options.ts';
import { secretText } from '../text/secret-text.ts';
import { subscriptionText } from '../text/subscription-text.ts';

export const create: Command = {
  name: 'create',
  takes: ['callback-url'],
  summary: 'Register a callback URL; shows its signing secret, this once',
  options: {
    live: { help: 'of live payments (default: of test payments)' },
    ...SETTINGS,
    ...SECRET,
  },
  async run(given, { api, print }) {
    const body = {
      callback_url: given.named['callback-url'],
      live: given.flag('live'),
      event_types: ['*'],
      ...settingsIn(given),
      ...secretIn(given, process.env),
    };
    const created = (await api('POST', '/subscriptions', { body })) as SubscriptionView & {
      signing_secret?: string;
    };
    const { signing_secret: secret, ...subscription } = created;
    print(`${subscriptionText(subscription)}\n\n${secretText('signing secret', secret)}`, created);
    return true;
  },
};
