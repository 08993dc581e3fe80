import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import type { Command, Given } from '../command.ts';
import { SETTINGS, settingsIn } from '../subscription-options.ts';
import { subscriptionText } from '../text/subscription-text.ts';

export const update: Command = {
  name: 'update',
  takes: ['subscription'],
  summary: 'Change what is set of a subscription',
  remarks: '"none" removes a contact, a rate limit, headers or signatures.',
  options: {
    'callback-url': { value: 'URL', help: 'where the webhooks go' },
    ...SETTINGS,
    'if-match': {
      value: 'ETAG',
      help: 'only if nobody has changed it since it had this etag, as show tells it',
    },
    live: { help: 'cannot be changed: create another subscription for the other payments' },
  },
  async run(given, { api, print }) {
    if (given.flag('live')) {
      throw new ExplainedError(
        'Whether a subscription is of live or of test payments cannot be changed: create another one.',
      );
    }
    const url = given.text('callback-url');
    const body = { ...settingsIn(given), ...(url === undefined ? {} : { callback_url: url }) };
    if (Object.keys(body).length === 0) {
      throw new ExplainedError(
        'There is nothing to change; --help tells what can be. "none" removes a contact, a rate limit, headers or signatures.',
      );
    }
    const path = `/subscriptions/${given.named.subscription}`;
    const updated = (await api('PATCH', path, {
      body,
      ifMatch: etagIn(given),
    })) as SubscriptionView;
    print(subscriptionText(updated), updated);
    return true;
  },
};

/** Shells take the quotes of an etag off. */
function etagIn(given: Given): string | undefined {
  const text = given.text('if-match');
  return text !== undefined && /^\d+$/.test(text) ? `"${text}"` : text;
}
