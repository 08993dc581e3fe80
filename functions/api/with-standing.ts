import type { Standing } from '../core/standing.ts';
import type { Subscription } from '../core/subscription.ts';

/** A subscription that stands like this now. */
export function withStanding(subscription: Subscription, standing: Standing): Subscription {
  // A standing without a reason says that there is none any more.
  const { disabled_reason: _, disabled_at: __, ...lasting } = subscription;
  return { ...lasting, ...standing };
}
