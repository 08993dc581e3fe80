import { SECRETS_CACHED_MS } from '../../../core/attempt/signing-keys.ts';
import {
  changedSubscription,
  differences,
  subscriptionChangeSchema,
} from '../../../core/subscription/subscription-change.ts';
import { subscriptionViewSchema } from '../../../core/subscription/subscription-view.ts';
import { noSuch } from '../../answer.ts';
import { operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';
import { changeOwn, ETAG, revisedAnswer } from './change-own.ts';
import { vettedCallback } from './vetted-callback.ts';

export const updateSubscription = operation({
  id: 'updateSubscription',
  method: 'PATCH',
  path: '/v1/subscriptions/:subscription_id',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Change what you have set of a subscription',
  description: `What is not named stays as it is; an empty object changes nothing. Other \`event_types\` count for events that are accepted from now on.

Everything else counts from the next attempt on, also of messages that wait; an attempt that is under way ends as it began. Two things take longer:

- \`custom_headers\`: within ${SECRETS_CACHED_MS / 1_000} seconds. Until then an attempt may carry the old ones.
- \`rate_limit\`, when it is taken away: what waits is sent step by step, a few payments at a time and then more. For a minute or two messages may still wait (\`state_reason\`: \`catching_up\`). One that is set, or another number, counts from the next second on.`,
  body: subscriptionChangeSchema,
  isConditional: true,
  answers: {
    200: { description: 'How it is set now.', schema: subscriptionViewSchema, headers: ETAG },
  },
  problems: ['callback-url-refused', 'look-up-failed', 'contended'],
  async run(request, ports) {
    let wanted = request.body;
    if (wanted.callback_url !== undefined) {
      const subscription = await ownSubscription(request, ports);
      if (subscription === undefined) {
        return noSuch('subscription', request.params);
      }
      const vetted = await vettedCallback({ url: wanted.callback_url, live: subscription.live }, ports);
      if ('status' in vetted) {
        return vetted;
      }
      wanted = { ...wanted, callback_url: vetted.url };
    }
    const revised = await changeOwn(request, ports, (current) =>
      changedSubscription(current, wanted, ports.now(), ports.policy),
    );
    if ('status' in revised) {
      return revised;
    }
    return revisedAnswer(revised, ports, () => differences(revised.before, revised.after));
  },
});
