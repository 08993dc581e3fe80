import type { SecretsLookUp } from '../../../functions/adapters/dynamodb/secrets/secrets-cache.ts';
import { SECRETS_CACHED_MS } from '../../../functions/core/attempt/signing-keys.ts';
import { orderingKey } from '../../../functions/core/message/message.ts';
import type { Found, Wanted } from '../../../functions/core/ordering/delivery-reader.ts';
import type { DeliverPorts, Incoming } from '../../../functions/pipeline/deliver/ports.ts';
import type { HistoryTable } from '../aws/tables/history-table.ts';
import type { NamedFault } from '../faults.ts';
import type { Surface } from '../surface.ts';
import type { Invocation } from './invocation.ts';

/** A look-up as the adapter makes it: throttled and unreadable items are reported one by one. */
export async function lookedUp(wanted: Wanted, invocation: Invocation, surface: Surface): Promise<Found> {
  const shared = invocation.environment?.secrets;
  if (shared === undefined) {
    const { dice } = invocation.around;
    /** A worker's environment may have read the secrets a while ago. */
    const secretsAgeMs = dice.chance(0.7) ? 0 : dice.whole(0, SECRETS_CACHED_MS - 1);
    return read(wanted, new Set(subscriptionsOf(wanted)), secretsAgeMs, invocation, surface);
  }
  const secrets = shared.lookUp(subscriptionsOf(wanted), invocation.workersTime());
  const found = await read(wanted, new Set(secrets.stale), 0, invocation, surface);
  keep(secrets, secrets.stale, found);
  const overtaken = secrets.overtaken(found.subscriptions);
  if (overtaken.length > 0) {
    // A separate call, during which other invocations of the environment may look up the same.
    const again = await invocation.callTable('lookUp', () =>
      surface.subscriptions.find(
        wanted.subscriptions.filter(({ subscription_id }) => overtaken.includes(subscription_id)),
        new Set(overtaken),
        0,
        invocation.workersTime(),
      ),
    );
    keep(secrets, overtaken, { ...found, secrets: again.secrets });
  }
  return { ...found, secrets: secrets.found() };
}

/** Gives the cache the secrets that were read, as items of their table. */
function keep(
  lookUp: SecretsLookUp,
  ids: readonly string[],
  { secrets, subscriptions }: Pick<Found, 'secrets' | 'subscriptions'>,
): void {
  const items = ids.flatMap((subscription_id) => {
    const { goodUntilMs: _, ...kept } = secrets.get(subscription_id) ?? {};
    return 'secrets' in kept ? [{ subscription_id, ...kept }] : [];
  });
  lookUp.keep(ids, items, subscriptions, (fault) => {
    throw fault;
  });
}

function subscriptionsOf({ subscriptions }: Wanted): string[] {
  return [...new Set(subscriptions.map(({ subscription_id }) => subscription_id))];
}

function read(
  wanted: Wanted,
  secretsOf: ReadonlySet<string>,
  secretsAgeMs: number,
  invocation: Invocation,
  surface: Surface,
): Promise<Found> {
  const { keys, history, subscriptions } = surface;
  return invocation.callTable('lookUp', () => {
    const found = {
      ...subscriptions.find(wanted.subscriptions, secretsOf, secretsAgeMs, invocation.workersTime()),
      keys: keys.find(wanted.keys),
      records: history.recordsOf(wanted.messageIds),
      resources: history.resourcesOf(wanted.resources),
    };
    const struckBy = (fault: NamedFault, names: Iterable<string>) =>
      [...names].filter((name) => invocation.meetsAt(fault, 'lookUp', name));
    const ids = new Set(wanted.subscriptions.map(({ subscription_id }) => subscription_id));
    const untaken = new Set(struckBy('throttled', [...wanted.keys, ...ids]));
    const unreadable = new Set(
      struckBy('unreadable', [...found.keys.keys(), ...found.subscriptions.keys(), ...found.records.keys()]),
    );
    const readable = <Value>(all: ReadonlyMap<string, Value>) =>
      new Map([...all].filter(([name]) => !untaken.has(name) && !unreadable.has(name)));
    return {
      subscriptions: readable(found.subscriptions),
      secrets: readable(found.secrets),
      keys: readable(found.keys),
      records: readable(found.records),
      resources: found.resources,
      internalErrors: new Map([...unreadable].map((name) => [name, new Error(`${name} cannot be read`)])),
      untaken,
    };
  });
}

/** Writes outcomes one by one. Reports items that stay unwritten, and those of a throttled partition. */
export async function saved(
  outcomes: Parameters<DeliverPorts['save']>[0],
  invocation: Invocation,
  history: HistoryTable,
): ReturnType<DeliverPorts['save']> {
  const untaken =
    outcomes.length === 0
      ? []
      : await invocation.callTable(
          'save',
          () =>
            history.save(
              outcomes,
              (record) =>
                invocation.meetsAt('throttled', 'save', orderingKey(record)) ||
                invocation.meets('partial', 'save', record.message_id),
            ),
          undefined,
          outcomes.reduce((sum, { laterAttempt }) => sum + (laterAttempt === undefined ? 1 : 2), 0),
        );
  return { untaken: new Set(untaken), refused: new Map(), internalErrors: [] };
}

/** Dead-letters records. Returns those that could not be. */
export async function deadLettered(
  deadRecords: readonly Pick<Incoming, 'recordId' | 'group' | 'body'>[],
  invocation: Invocation,
  { deliveriesDeadLetters }: Surface,
): ReturnType<DeliverPorts['deadLetter']> {
  const entries = deadRecords.map(({ recordId, group, body }) => ({
    body,
    group,
    deduplicationId: recordId,
  }));
  const send = () =>
    deliveriesDeadLetters.sendBatch(entries, ({ group }) =>
      invocation.meets('partial', 'dead-letter', group),
    );
  const refused = await invocation.call('dead-letter', send, { rejects: false });
  return new Set(refused.map(({ deduplicationId }) => deduplicationId));
}
