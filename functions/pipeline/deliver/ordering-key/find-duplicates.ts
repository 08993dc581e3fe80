import type { Found, Wanted } from '../../../core/attempt/ports.ts';
import { isolateFailures } from '../../../core/errors/isolate-failures.ts';
import { idsOf, orderingKey, resourceKey } from '../../../core/message/message.ts';
import { mayBeDuplicate } from '../../../core/ordering/gate.ts';
import type { DeliverPorts } from '../ports.ts';
import { type Incoming, nameOf } from '../read-deliveries.ts';

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
  const missing = [...failed.keys()].flatMap((group) => group.map((record) => orderingKey(nameOf(record))));
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
  const { subscription_id } = nameOf(record);
  const own =
    'signal' in record
      ? [record.signal.message_id]
      : [...idsOf(record.message), record.message.resource === undefined && resourceKey(record.message)];
  return [subscription_id, orderingKey(nameOf(record)), ...own].find(
    (name): name is string => typeof name === 'string' && untaken.has(name),
  );
}

function wantedOf(records: readonly Incoming[], nowMs: number): Wanted {
  const deliveries = records.filter((record) => 'message' in record);
  return {
    subscriptions: records.map(nameOf),
    keys: [...new Set(records.map((record) => orderingKey(nameOf(record))))],
    messageIds: [
      ...deliveries
        .filter((delivery) => mayBeDuplicate(delivery.message, delivery, nowMs))
        .flatMap(({ message }) => idsOf(message)),
      ...records.flatMap((record) => ('signal' in record ? (record.signal.message_id ?? []) : [])),
    ],
    resourceKeys: deliveries
      .map(({ message }) => message)
      .filter(({ resource }) => resource === undefined)
      .map((message) => resourceKey(message)),
  };
}
