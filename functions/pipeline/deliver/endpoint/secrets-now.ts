import type { KeptSecrets } from '../../../core/attempt/signing-keys.ts';
import { isGone, type Subscription } from '../../../core/subscription/subscription.ts';
import { type Batch, UntakenError } from '../batch.ts';

type Known = Pick<Batch, 'found' | 'ports'>;

/**
 * The secrets of a subscription for an attempt that starts now. A batch lasts up to a minute and starts with
 * secrets up to a minute old: what is too old is read again, or a revoked secret would sign for twice as long
 * as promised.
 *
 * @returns undefined when there are none
 * @throws UntakenError
 */
export async function secretsNow(subscription: Subscription, batch: Known): Promise<KeptSecrets | undefined> {
  const { subscription_id } = subscription;
  const known = batch.found.secrets.get(subscription_id);
  if (known?.goodUntilMs === undefined || batch.ports.now() < known.goodUntilMs) {
    return known;
  }
  const again = await readAgain(subscription, batch);
  // Deleted a moment ago, and its secrets with it: this attempt is under way, and is made.
  return isGone(again.subscriptions.get(subscription_id)) ? known : again.secrets.get(subscription_id);
}

/**
 * Whether a subscription without secrets has just been deleted. Both go in one transaction, but a batch reads
 * no snapshot: it may have found the subscription and missed the secrets. Costs nothing where there are
 * secrets.
 *
 * @throws UntakenError
 */
export async function isJustDeleted(subscription: Subscription, batch: Known): Promise<boolean> {
  const { subscription_id } = subscription;
  if (batch.found.secrets.has(subscription_id)) {
    return false;
  }
  const again = await readAgain(subscription, batch);
  return isGone(again.subscriptions.get(subscription_id));
}

async function readAgain(subscription: Subscription, { ports }: Known) {
  const again = await ports.lookUp({
    subscriptions: [subscription],
    keys: [],
    messageIds: [],
    resourceKeys: [],
  });
  if (again.untaken.has(subscription.subscription_id)) {
    throw new UntakenError(subscription.subscription_id);
  }
  return again;
}
