import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { partnerCommand } from '../partner-command.ts';
import { SECRET, SETTINGS, secretIn, settingsIn } from '../subscription-options.ts';
import { secretText, subscriptionText } from '../text/subscription-text.ts';

export const create = partnerCommand({
  name: 'create',
  arguments: { 'callback-url': { help: 'where the webhooks go' } },
  summary: 'Register a callback URL; shows its signing secret once',
  example: "https://shop.example/webhooks --event-type '*'",
  options: {
    live: { help: 'subscribe to live payments (default: test payments)' },
    ...SETTINGS,
    ...SECRET,
  },
  async run(given, { api, print }) {
    const body = {
      callback_url: given['callback-url'],
      live: given.live,
      event_types: ['*'],
      ...settingsIn(given),
      ...secretIn(given.secret, process.env),
    };
    const created = (await api('POST', '/subscriptions', { body })) as SubscriptionView & {
      signing_secret?: string;
    };
    const { signing_secret: secret, ...subscription } = created;
    print(`${subscriptionText(subscription)}\n\n${secretText('signing secret', secret)}`, created);
    return true;
  },
});
