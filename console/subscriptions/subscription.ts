import type { Period } from '../../functions/core/statistics/statistics.ts';
import type { Waiting } from '../../functions/core/statistics/statistics-store.ts';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { TEXT } from '../texts.ts';
import { visible } from '../words/visible.ts';

/** What the API answers about a subscription's deliveries. */
export interface Statistics {
  readonly periods: readonly Period[];
  readonly waiting: Waiting;
}

/** All of a service. `statistics`: of the last two days, by the hour, where they were asked for. */
export interface Subscriptions {
  readonly subscriptions: readonly (SubscriptionView & { readonly statistics?: Statistics })[];
}

export const subscriptionPath = (id: string) => `/subscriptions/${encodeURIComponent(id)}`;

/** As much as is known of a subscription: whoever runs the stage does not see descriptions. */
type Named = Pick<SubscriptionView, 'subscription_id'> &
  Partial<Pick<SubscriptionView, 'description' | 'callback_url'>>;

/** What people call it: its description, else its host, else its id. Safe to show. */
export function nameOf({ subscription_id, description = '', callback_url = '' }: Named): string {
  return visible(description.trim() || (URL.parse(callback_url)?.host ?? (callback_url || subscription_id)));
}

/** The same among others: with its id where another one has the same name. */
export function nameAmong(subscription: Named, others: readonly Named[]): string {
  const name = nameOf(subscription);
  const { subscription_id: id } = subscription;
  return others.some((other) => other.subscription_id !== id && nameOf(other) === name)
    ? `${name} (${id})`
    : name;
}

/** The event types in words that people read. */
export function typesText(eventTypes: readonly string[]): string {
  return eventTypes.includes('*') ? TEXT.subscriptions.allTypes : visible(eventTypes.join(', '));
}
