import type { Answer } from '../../core/api/answer.ts';
import { noSuch, notTaken, refusal } from '../../core/api/answer.ts';
import type { KeptSecrets } from '../../core/attempt/signing-keys.ts';
import { isGone, isPulled, type Subscription } from '../../core/subscription/subscription.ts';
import type { ApiRequest } from '../api-request.ts';
import type { Operation } from '../operation.ts';
import { subscriptionIdIn } from '../owned.ts';
import type { FeedPorts } from './feed-ports.ts';

export type FeedOperation = Operation<unknown, unknown, FeedPorts>;

/** Declares an operation of feeds; the types of its request follow from its schemas. */
export function feedOperation<Query = Readonly<Record<never, never>>, Body = undefined>(
  declared: Omit<Operation<Query, Body, FeedPorts>, 'tag' | 'isIdempotent'>,
): FeedOperation {
  // Safe: each request is parsed with the same schemas that these types come from.
  return { ...declared, tag: 'Feed', isIdempotent: true } as unknown as FeedOperation;
}

/** A subscription of the caller whose messages are pulled, with its secrets, or why there is none. */
export async function ownFeed(
  request: ApiRequest,
  ports: FeedPorts,
): Promise<
  { readonly subscription: Subscription; readonly kept: KeptSecrets } | { readonly refused: Answer }
> {
  const subscription_id = subscriptionIdIn(request);
  if (subscription_id === undefined) {
    return { refused: noSuch('subscription', request.params) };
  }
  const name = { service_id: request.serviceId, subscription_id };
  const found = await ports.lookUp({ subscriptions: [name], keys: [], messageIds: [], resources: [] });
  if (found.untaken.has(subscription_id)) {
    return { refused: notTaken('request') };
  }
  const error = found.internalErrors.get(subscription_id);
  if (error !== undefined) {
    throw error;
  }
  const subscription = found.subscriptions.get(subscription_id);
  const kept = found.secrets.get(subscription_id);
  if (subscription === undefined || isGone(subscription) || kept === undefined) {
    return { refused: noSuch('subscription', request.params) };
  }
  return isPulled(subscription)
    ? { subscription, kept }
    : {
        refused: refusal(
          'wrong-delivery',
          'The messages of this subscription are sent to its callback_url: only one with delivery "pull" has a feed.',
        ),
      };
}
