import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import type { KeptSecrets } from '../../core/attempt/signing-keys.ts';
import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import { type MessageRecord, resourceKeptUntilMs } from '../../core/message/history.ts';
import { type Message, orderingKey, resourceKey } from '../../core/message/message.ts';
import { inDoubt, type NewRecord, recordOf } from '../../core/message/outcome.ts';
import type { QueuedMessage } from '../../core/ordering/blocked-ordering-key.ts';
import type { Found, Wanted } from '../../core/ordering/delivery-reader.ts';
import { mayBeDuplicate } from '../../core/ordering/gate.ts';
import { positionOf } from '../../core/sequence/order-number.ts';
import { isGone, isPulled, type Subscription } from '../../core/subscription/subscription.ts';
import { instant } from '../../core/text/instant.ts';
import { type Batch, UntakenError } from './batch.ts';
import type { DeliverPorts, Delivery, Incoming } from './ports.ts';

/**
 * Looks up what groups of records need, in one call; if that fails, for each group alone. A group whose own
 * call fails is `untaken`. Never rejects.
 */
export async function lookUpApart(
  groups: readonly (readonly Incoming[])[],
  ports: Pick<DeliverPorts, 'lookUp' | 'now' | 'observer'>,
): Promise<Found> {
  const nowMs = ports.now();
  const { answers, failed } = await isolateFailures(groups, (some) =>
    ports.lookUp(wantedOf(some.flat(), nowMs)),
  );
  for (const [group, error] of failed) {
    ports.observer.internalError(error, group);
  }
  const missing = [...failed.keys()].flatMap((group) => group.map((record) => orderingKey(record.name)));
  const [only] = answers;
  return only !== undefined && answers.length === 1 && missing.length === 0
    ? only
    : {
        subscriptions: new Map(answers.flatMap(({ subscriptions }) => [...subscriptions])),
        secrets: new Map(answers.flatMap(({ secrets }) => [...secrets])),
        keys: new Map(answers.flatMap(({ keys }) => [...keys])),
        records: new Map(answers.flatMap(({ records }) => [...records])),
        resources: new Map(answers.flatMap(({ resources }) => [...resources])),
        internalErrors: new Map(answers.flatMap(({ internalErrors }) => [...internalErrors])),
        untaken: new Set([...answers.flatMap(({ untaken }) => [...untaken]), ...missing]),
      };
}

/** What a record needs and could not be read: it cannot be handled now. */
export function untakenOf(record: Incoming, { untaken }: Found): string | undefined {
  if (untaken.size === 0) {
    return undefined;
  }
  const { subscription_id } = record.name;
  const own =
    'signal' in record
      ? [record.signal.message_id]
      : [record.message.message_id, record.message.resource === undefined && resourceKey(record.message)];
  return [subscription_id, orderingKey(record.name), ...own].find(
    (name): name is string => typeof name === 'string' && untaken.has(name),
  );
}

function wantedOf(records: readonly Incoming[], nowMs: number): Wanted {
  const deliveries = records.filter((record) => 'message' in record);
  return {
    subscriptions: records.map(({ name }) => name),
    keys: [...new Set(records.map((record) => orderingKey(record.name)))],
    messageIds: [
      ...deliveries
        .filter((delivery) => mayBeDuplicate(delivery.message, delivery, nowMs))
        .map(({ message }) => message.message_id),
      ...records.flatMap((record) => ('signal' in record ? (record.signal.message_id ?? []) : [])),
    ],
    resources: deliveries.map(({ message }) => message).filter(({ resource }) => resource === undefined),
  };
}

/**
 * The first message of an ordering key: one that waits for it, or one that has just come and may block it.
 */
export type Head = (
  | { readonly isWaiting: true; readonly record: MessageRecord }
  | { readonly isWaiting: false; readonly record: NewRecord }
) & {
  /** As it is queued, or would be. */
  readonly queuedMessage: QueuedMessage;
  /** JSON text of the event's resource, if that is stored apart from the record. */
  readonly resource: string | undefined;
  /** Its subscription or its resource is stored and cannot be read. */
  readonly internalError: Error | undefined;
  /** How often SQS has delivered the record that leads to the attempt. */
  readonly receiveCount: number;
};

export function headOfDelivery(
  { message, receiveCount }: Delivery,
  { internalErrors, resources, subscriptions }: Found,
): Head {
  return {
    queuedMessage: queuedMessageOf(message),
    isWaiting: false,
    record: newRecordOf({ message, receiveCount }, subscriptions),
    resource: resources.get(resourceKey(message)),
    internalError: internalErrors.get(message.subscription_id) ?? internalErrors.get(resourceKey(message)),
    receiveCount,
  };
}

/** The record of a message that is new. */
export function newRecordOf(
  { message, receiveCount }: Pick<Delivery, 'message' | 'receiveCount'>,
  subscriptions: Found['subscriptions'] = new Map(),
): NewRecord {
  const record = recordOf(message);
  const mayBePosted = receiveCount > 1 && !isPulled(subscriptions.get(message.subscription_id));
  return mayBePosted ? inDoubt(record) : record;
}

/**
 * Whether an operator has erased what there was to send: in the record, or in the event's resource, which is
 * then empty.
 */
export function isErased({ record, resource }: Pick<Head, 'record' | 'resource'>): boolean {
  return record.body_erased_at !== undefined || (record.resource === undefined && resource === '');
}

/**
 * Whether its large resource is gone because it was kept for long enough: a message that is sent again late
 * may outlive it.
 */
export function isNoLongerKept(
  { record, resource }: Pick<Head, 'record' | 'resource'>,
  nowMs: number,
  { retentionDays }: Pick<DeliveryPolicy, 'retentionDays'>,
): boolean {
  const isGone = record.resource === undefined && resource === undefined;
  const acceptedAtMs = Date.parse(record.arrived_at ?? record.admitted_at);
  return isGone && nowMs >= resourceKeptUntilMs(acceptedAtMs, retentionDays);
}

export function queuedMessageOf(message: Message): QueuedMessage {
  return {
    ordering_key: orderingKey(message),
    position: positionOf(message),
    message_id: message.message_id,
    since: instant(message.admitted_at_ms),
    failed_attempts: 0,
  };
}

type Reading = Pick<Batch, 'found' | 'ports'>;

/**
 * The secrets of a subscription for an attempt that starts now. A batch lasts up to a minute and starts with
 * secrets up to a minute old: what is too old is read again, or a revoked secret would sign for twice as long
 * as promised.
 *
 * @returns undefined when there are none
 * @throws UntakenError
 */
export async function secretsNow(
  subscription: Subscription,
  batch: Reading,
): Promise<KeptSecrets | undefined> {
  const { subscription_id } = subscription;
  const known = batch.found.secrets.get(subscription_id);
  if (known?.goodUntilMs === undefined || batch.ports.now() < known.goodUntilMs) {
    return known;
  }
  const current = await reread(subscription, batch);
  // Deleted a moment ago, and its secrets with it: this attempt is under way, and is made.
  return isGone(current.subscriptions.get(subscription_id)) ? known : current.secrets.get(subscription_id);
}

/**
 * Whether a subscription without secrets has just been deleted. Both go in one transaction, but a batch reads
 * no snapshot: it may have found the subscription and missed the secrets. Costs nothing where there are
 * secrets.
 *
 * @throws UntakenError
 */
export async function isJustDeleted(subscription: Subscription, batch: Reading): Promise<boolean> {
  const { subscription_id } = subscription;
  if (batch.found.secrets.has(subscription_id)) {
    return false;
  }
  const current = await reread(subscription, batch);
  return isGone(current.subscriptions.get(subscription_id));
}

async function reread(subscription: Subscription, { ports }: Reading) {
  const current = await ports.lookUp({
    subscriptions: [subscription],
    keys: [],
    messageIds: [],
    resources: [],
  });
  if (current.untaken.has(subscription.subscription_id)) {
    throw new UntakenError(subscription.subscription_id);
  }
  return current;
}
