import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { ID, partnerCommand } from '../partner-command.ts';
import { SETTINGS, settingsIn } from '../subscription-options.ts';
import { subscriptionText } from '../text/subscription-text.ts';

export const update = partnerCommand({
  name: 'update',
  arguments: { subscription: ID },
  summary: 'Change the settings of a subscription',
  example: 'sub_2cXj1x8 --rate-limit none',
  remarks: '"none" removes a contact, a notices URL, a filter, fields, a rate limit, headers or signatures.',
  options: {
    'callback-url': { value: 'URL', help: 'where the webhooks go' },
    ...SETTINGS,
    'if-match': {
      value: 'ETAG',
      help: 'only if nobody has changed it since: the etag that show prints',
    },
    live: { help: 'cannot be changed; create another subscription instead' },
  },
  async run(given, { api, print }) {
    if (given.live) {
      throw new ExplainedError(
        'A subscription cannot switch between live and test payments; create another one.',
      );
    }
    const url = given['callback-url'];
    const body = { ...settingsIn(given), ...(url === undefined ? {} : { callback_url: url }) };
    if (Object.keys(body).length === 0) {
      throw new ExplainedError('Nothing to change was given; --help lists what can be changed.');
    }
    const path = `/subscriptions/${given.subscription}`;
    const updated = (await api('PATCH', path, {
      body,
      ifMatch: etagOf(given['if-match']),
    })) as SubscriptionView;
    print(subscriptionText(updated), updated);
    return true;
  },
});

/** Shells take the quotes of an etag off. */
function etagOf(text: string | undefined): string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? `"${text}"` : text;
}
