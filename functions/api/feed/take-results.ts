import { isDeepStrictEqual } from 'node:util';
import { orderingKey } from '../../core/message/message.ts';
import type { LeaseResult } from '../../core/ordering/lease.ts';
import { leaseNamed } from '../../core/ordering/lease-id.ts';
import { signal } from '../../core/signal/signal.ts';
import type { Subscription } from '../../core/subscription/subscription.ts';
import { instant } from '../../core/text/instant.ts';
import type { FeedPorts } from './feed-ports.ts';

/** What a partner says became of a message that it has in hand. */
export interface Said extends Pick<LeaseResult, 'status_code' | 'reason'> {
  readonly lease_id: string;
  readonly outcome: 'delivered' | 'failed';
}

export const TAKEN_STATES = ['recorded', 'already_recorded', 'not_in_hand'] as const;

export interface Taken {
  readonly lease_id: string;
  readonly state: (typeof TAKEN_STATES)[number];
}

/**
 * Writes down what became of messages, and asks `deliver` to settle them: it alone changes ordering keys. The
 * first result of a lease counts. Should a signal be lost, sweep finds the lease at its end.
 */
export async function takeResults(
  { service_id, subscription_id }: Pick<Subscription, 'service_id' | 'subscription_id'>,
  results: readonly Said[],
  ports: Pick<FeedPorts, 'endLease' | 'signal' | 'now'>,
): Promise<Taken[]> {
  const at = instant(ports.now());
  const settled = new Set<string>();
  const taken: Taken[] = [];
  // One after another: a list may name a lease twice.
  for (const { lease_id, ...said } of results) {
    const name = leaseNamed(lease_id);
    const result = { ...said, at };
    const of = name && { ...name, ordering_key: orderingKey({ subscription_id, ...name }) };
    const lease = of && (await ports.endLease(of, result));
    const counts = lease?.result;
    if (name === undefined || counts === undefined || counts.outcome === 'ended') {
      taken.push({ lease_id, state: 'not_in_hand' });
      continue;
    }
    const isOurs = isDeepStrictEqual(counts, result) && !settled.has(lease_id);
    taken.push({ lease_id, state: isOurs ? 'recorded' : 'already_recorded' });
    settled.add(lease_id);
    await ports.signal([signal({ service_id, subscription_id, payment_id: name.payment_id }, 'resume')]);
  }
  return taken;
}
