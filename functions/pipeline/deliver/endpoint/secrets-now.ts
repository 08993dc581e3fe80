import type { KeptSecrets } from '../../../core/attempt/signing-keys.ts';
import { isGone, type Subscription } from '../../../core/subscription/subscription.ts';
import { type Batch, UntakenError } from '../batch.ts';

/**
 * What is secret of a subscription, for an attempt that begins now. A batch may go on for most of a minute with what was almost a minute old when it
 * began: what is not good any more is looked up again, lest a revoked secret signs for twice as long as its owner was told.
 *
 * @returns undefined when there is nothing
 * @throws UntakenError
 */
export async function secretsNow(
  subscription: Subscription,
  { found, ports }: Pick<Batch, 'found' | 'ports'>,
): Promise<KeptSecrets | undefined> {
  const { subscription_id } = subscription;
  const known = found.secrets.get(subscription_id);
  if (known?.goodUntilMs === undefined || ports.now() < known.goodUntilMs) {
    return known;
  }
  const again = await ports.lookUp({
    subscriptions: [subscription],
    keys: [],
    messageIds: [],
    resourceKeys: [],
  });
  if (again.untaken.has(subscription_id)) {
    throw new UntakenError(subscription_id);
  }
  // Deleted a moment ago, and its secrets with it: this attempt is still made, as any that is under way.
  return isGone(again.subscriptions.get(subscription_id)) ? known : again.secrets.get(subscription_id);
}
