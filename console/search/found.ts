import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import type { EndpointView } from '../../functions/core/trouble/endpoint-view.ts';
import type { Route } from '../app/route.ts';
import { nameAmong } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { visible } from '../words/visible.ts';

/** A screen that a search leads to. */
export interface Hit {
  readonly to: Route;
  /** Of another service than the one that is looked at. */
  readonly service?: string;
  /** `Message`, `Subscription`. Safe to show, like the others. */
  readonly what: string;
  readonly name: string;
  readonly more?: string;
}

interface Known {
  readonly subscriptions?: readonly Pick<
    SubscriptionView,
    'subscription_id' | 'description' | 'callback_url'
  >[];
  /** For a session of the whole stage that looks at no service: those in trouble. */
  readonly endpoints?: readonly Pick<EndpointView, 'service_id' | 'subscription_id' | 'callback_url'>[];
}

/** More tell nobody what to choose. */
const MAX_HITS = 8;

/** The screen that an id names: anything may be the id of a payment. */
export function screenOf(id: string): Route {
  if (id.startsWith('msg_')) return { screen: 'message', id };
  if (id.startsWith('sub_')) return { screen: 'subscription', id };
  return { screen: 'payment', id };
}

/** What a text may mean: an id, or a part of a description or URL; the likeliest first. */
export function foundBy(typed: string, { subscriptions = [], endpoints }: Known): readonly Hit[] {
  const text = typed.trim();
  if (text === '') return [];
  const has = (...fields: readonly (string | undefined)[]) =>
    fields.some((field) => field?.toLowerCase().includes(text.toLowerCase()));
  if (endpoints !== undefined) {
    return [
      ...endpoints
        .filter((one) => has(one.subscription_id, one.callback_url, one.service_id))
        .slice(0, MAX_HITS)
        .map(
          (one): Hit => ({
            to: { screen: 'subscription', id: one.subscription_id },
            service: one.service_id,
            what: TEXT.search.inTrouble,
            name: nameAmong(one, endpoints),
            more: visible(one.service_id),
          }),
        ),
      ...(/\s|\/|^(msg|sub)_/.test(text)
        ? []
        : [
            {
              to: { screen: 'subscriptions' } as const,
              service: text,
              what: TEXT.search.service,
              name: visible(text),
            },
          ]),
    ];
  }
  const those = subscriptions
    .filter((one) => has(one.subscription_id, one.description, one.callback_url))
    .slice(0, MAX_HITS)
    .map(
      (one): Hit => ({
        to: { screen: 'subscription', id: one.subscription_id },
        what: TEXT.search.subscription,
        name: nameAmong(one, subscriptions),
        more: visible(one.callback_url),
      }),
    );
  const to = screenOf(text);
  if (/\s|:\/\//.test(text)) return those;
  if (to.screen === 'subscription') {
    return those.length > 0 ? those : [{ to, what: TEXT.search.subscription, name: visible(text) }];
  }
  const itself = {
    to,
    what: to.screen === 'message' ? TEXT.message.title : TEXT.payment.one,
    name: visible(text),
  };
  return /^(msg|pay)_/.test(text) ? [itself, ...those] : [...those, itself];
}
