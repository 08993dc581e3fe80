import { ExplainedError } from '../../local/explained-error.ts';
import type { Command } from '../command.ts';
import { memberLines } from '../member-lines.ts';
import { SETTINGS, settingsIn } from '../shared-options.ts';

export const update: Command = {
  name: 'update',
  takes: ['subscription'],
  summary: 'Change what is set of a subscription',
  options: {
    'callback-url': { value: 'URL', help: 'where the webhooks go' },
    ...SETTINGS,
    'if-match': { value: 'ETAG', help: 'only if nobody has changed it since it had this etag' },
  },
  async run(given, { api, print }) {
    const url = given.text('callback-url');
    const body = { ...settingsIn(given), ...(url === undefined ? {} : { callback_url: url }) };
    if (Object.keys(body).length === 0) {
      throw new ExplainedError(
        'There is nothing to change; --help tells what can be. "none" removes a contact, a rate limit, headers or signatures.',
      );
    }
    const path = `/subscriptions/${given.named.subscription}`;
    const updated = (await api('PATCH', path, { body, ifMatch: given.text('if-match') })) as object;
    print(memberLines(updated), updated);
    return true;
  },
};
