import { activeAt, signedHeaders } from '../../core/attempt/signature.ts';
import type { KeptSecrets } from '../../core/attempt/signing-keys.ts';
import { hasExpired, isOverAge } from '../../core/message/decision.ts';
import { webhookBody } from '../../core/message/message.ts';
import { isFinal } from '../../core/message/outcome.ts';
import type { InBacklog } from '../../core/ordering/circuit-timer.ts';
import { MAX_IN_HAND } from '../../core/ordering/lease.ts';
import { leaseId } from '../../core/ordering/lease-id.ts';
import type { Waiting } from '../../core/ordering/ports.ts';
import { signal } from '../../core/signal/signal.ts';
import type { Subscription } from '../../core/subscription/subscription.ts';
import { instant } from '../../core/text/instant.ts';
import type { FeedPorts } from './feed-ports.ts';

/** A message that a partner has in hand from now on: body and headers as a POST would have had them. */
export interface Fed {
  readonly lease_id: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly leased_until: string;
  readonly message_id: string;
  readonly payment_id: string;
  readonly event_type: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Asked {
  readonly subscription: Subscription;
  readonly kept: KeptSecrets;
  /** How many messages at most. */
  readonly limit: number;
  readonly leaseMs: number;
}

/** Taken at the same time. Two rounds and a half of the largest messages, escaped, are less than 6 MB. */
const AT_ONCE = 5;

/** Lambda answers at most 6 MB: with so much, no further round begins. In bytes of JSON. */
const ENOUGH_BYTES = 2 * 1_024 * 1_024;

/**
 * Leases the first message of each payment that nobody has in hand, those that wait longest first. Who polls
 * also finds leases that have ended, sooner than sweep does.
 */
export async function takeMessages(asked: Asked, ports: FeedPorts): Promise<Fed[]> {
  const { subscription, limit } = asked;
  const fed: Fed[] = [];
  if (subscription.state !== 'active') {
    return fed;
  }
  const backlog = await ports.backlog(subscription.subscription_id, MAX_IN_HAND);
  const free = backlog.filter(({ check_at }) => Date.parse(check_at) <= ports.now());
  let bytes = 0;
  while (free.length > 0 && fed.length < limit && bytes < ENOUGH_BYTES) {
    const some = free.splice(0, Math.min(AT_ONCE, limit - fed.length));
    const taken = await Promise.all(some.map((key) => take(key, asked, ports)));
    for (const one of taken) {
      if (one !== undefined) {
        fed.push(one);
        bytes += Buffer.byteLength(JSON.stringify(one));
      }
    }
  }
  return fed;
}

/** Undefined: another feed has it, or `deliver` has to look at it. */
async function take(
  key: InBacklog,
  { subscription, kept, leaseMs }: Asked,
  ports: FeedPorts,
): Promise<Fed | undefined> {
  const since = ports.now();
  const until = instant(since + leaseMs);
  if (!(await ports.hold(key, until))) {
    return undefined;
  }
  const { waiting } = await ports.waitingIn(key.ordering_key);
  const isInHand = waiting.some(({ queuedMessage }) => queuedMessage.lease !== undefined);
  const sendable = isInHand ? undefined : sendableOf(waiting[0], since, ports);
  if (sendable === undefined) {
    await ports.signal([signal(key, 'resume')]);
    return undefined;
  }
  const { queuedMessage, record, resource } = sendable;
  const lease = { id: ports.newId(), since: instant(since), until };
  if (!(await ports.lease(queuedMessage, lease))) {
    return undefined;
  }
  const attempt = record.attempt_count + 1;
  const body = webhookBody(record, resource);
  const { message_id, payment_id, event_type } = record;
  return {
    lease_id: leaseId({ payment_id, position: queuedMessage.position, id: lease.id }),
    leased_until: until,
    message_id,
    payment_id,
    event_type,
    attempt,
    headers: {
      ...kept.custom_headers,
      ...signedHeaders({
        messageId: message_id,
        timestampSeconds: Math.floor(since / 1_000),
        body,
        keys: activeAt(Object.values(kept.secrets), since),
        extraSignatures: subscription.extra_signatures ?? [],
        attempt,
      }),
    },
    body,
  };
}

/** Undefined: it has ended, or will before it is sent. `deliver` says so on its record, or calls an operator. */
function sendableOf(
  head: Waiting | undefined,
  nowMs: number,
  { policy }: Pick<FeedPorts, 'policy'>,
): Required<Pick<Waiting, 'queuedMessage' | 'record' | 'resource'>> | undefined {
  if (head?.record === undefined || head.internalError !== undefined) {
    return undefined;
  }
  const { queuedMessage, record } = head;
  const resource = record.resource ?? head.resource;
  const isOver =
    isFinal(record) ||
    hasExpired(record, nowMs) ||
    isOverAge(Date.parse(queuedMessage.since), nowMs, policy) ||
    record.body_erased_at !== undefined;
  // An empty one was erased.
  return isOver || resource === undefined || resource === ''
    ? undefined
    : { queuedMessage, record, resource };
}
