import { noSuch, refusal } from '../../../core/api/answer.ts';
import { SECRETS_CACHED_MS } from '../../../core/attempt/signing-keys.ts';
import type { Message } from '../../../core/message/message.ts';
import { isPulled, wantsStageKey } from '../../../core/subscription/subscription.ts';
import {
  changedSubscription,
  differences,
  subscriptionChangeSchema,
} from '../../../core/subscription/subscription-change.ts';
import { subscriptionViewSchema } from '../../../core/subscription/subscription-view.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';
import { neverTaken, unknownPatterns } from '../event-types/known-types.ts';
import { challenged, leadsElsewhere, newChallenge, refusedPing, sendChallenge } from './challenge.ts';
import { changeOwn, ETAG, revisedAnswer } from './change-own.ts';
import { withoutStageKey } from './stage-key.ts';
import { vettedUrls } from './vetted-urls.ts';

export const updateSubscription = operation({
  id: 'updateSubscription',
  method: 'PATCH',
  path: '/v1/subscriptions/:subscription_id',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Update a subscription',
  body: subscriptionChangeSchema,
  isConditional: true,
  problems: [
    'wrong-delivery',
    'no-stage-key',
    'callback-url-refused',
    'look-up-failed',
    'too-many-pings',
    'contended',
  ],
  async run(request, ports) {
    let change = request.body;
    let challenge: Message | undefined;
    const { callback_url, notices_url, event_types = [] } = change;
    if (callback_url !== undefined || typeof notices_url === 'string' || event_types.length > 0) {
      const subscription = await ownSubscription(request, ports);
      const unknown = unknownPatterns(event_types, ports, subscription?.event_types);
      if (unknown !== undefined) {
        return unknown;
      }
      if (callback_url !== undefined || typeof notices_url === 'string') {
        if (subscription === undefined) {
          return noSuch('subscription', request.params);
        }
        const urls = await vettedUrls(change, subscription.live, ports);
        if ('status' in urls) {
          return urls;
        }
        change = { ...change, ...urls };
        if (urls.callback_url !== undefined && ports.callbackUrls.mustBeProven) {
          const refused = leadsElsewhere(subscription, urls.callback_url)
            ? await refusedPing(subscription, ports)
            : undefined;
          if (refused !== undefined) {
            return refused;
          }
          challenge = newChallenge(subscription, ports);
        }
      }
    }
    const keyless = await withoutStageKey(change, ports);
    if (keyless !== undefined) {
      return keyless;
    }
    const sets =
      change.callback_url !== undefined || typeof change.rate_limit === 'number' || wantsStageKey(change);
    const revised = await changeOwn(request, ports, (current) => {
      if (sets && isPulled(current)) {
        return refusal(
          'wrong-delivery',
          'Its messages are pulled: it has no callback_url, rate_limit or rfc9421 signature. Leave them out.',
        );
      }
      const after = changedSubscription(current, change, ports.now(), ports.policy);
      const isNews = change.filter !== undefined || change.event_types !== undefined;
      const { subscription } = after;
      return (
        (isNews ? neverTaken(subscription, ports) : undefined) ??
        (challenge !== undefined && leadsElsewhere(current, subscription.callback_url)
          ? { ...after, subscription: challenged(subscription, challenge, ports) }
          : after)
      );
    });
    if ('status' in revised) {
      return revised;
    }
    await sendChallenge(revised.after, challenge, ports);
    return revisedAnswer(revised, ports, () => differences(revised.before, revised.after));
  },
});

/* @__PURE__ */ describeOperation(
  updateSubscription,
  () => `Changes the fields you send; the others stay as they are. New \`event_types\`, \`filter\` and \`fields\` apply to events accepted from now on.

All other fields apply from the next attempt, also to waiting messages. An attempt under way is not affected. Where endpoints have to prove themselves, a \`callback_url\` with another host makes the subscription \`unproven\`: messages wait until that host has answered a challenge. Two changes take longer:

- \`custom_headers\` take effect within ${SECRETS_CACHED_MS / 1_000} seconds. Until then an attempt may carry the old ones.
- Removing the \`rate_limit\` delivers the backlog gradually: a few payments at a time, then more. For a minute or two messages may still wait (\`state_reason\`: \`catching_up\`). A new or changed limit applies from the next second.`,
  () => ({
    200: { description: 'The updated subscription.', schema: subscriptionViewSchema, headers: ETAG },
  }),
);
