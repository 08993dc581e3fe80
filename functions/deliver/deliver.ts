import type { DeliveryPolicy } from '../core/delivery-policy.ts';
import { mayBeRepeat } from '../core/look-up.ts';
import { orderingKey, resourceKey } from '../core/message.ts';
import type { Batch } from './batch.ts';
import { deliverGroup } from './deliver-group.ts';
import { Outbox } from './outbox.ts';
import { type DeliverPorts, type Incoming, nameOf, type Wanted } from './ports.ts';
import { Standings } from './standings.ts';
import { UnderWay } from './under-way.ts';
import { writeUntil } from './write-until.ts';

/** A batch looks at itself so often. SQS keeps every group of it locked until it ends: what is finished by then is let go early. */
const LOOK_MS = 250;

/** A batch that starts now starts no attempt that could end later than this; the function has 60 s. */
const ATTEMPTING_TIME_MS = 50_000;

/** After this there may be no time left to write in. */
const WRITING_TIME_MS = 55_000;

/**
 * Handles a batch: groups at the same time, the records of a group one after another.
 *
 * @returns the ids of the records that come again: only a fault of ours leaves any
 */
export async function deliver(
  records: readonly Incoming[],
  ports: DeliverPorts,
  policy: DeliveryPolicy,
): Promise<string[]> {
  const startedAtMs = ports.now();
  const outbox = new Outbox(ports);
  const standings = new Standings(ports, policy);
  const underWay = new UnderWay(standings, policy.circuit.slowMs);
  const batch: Batch = {
    found: await ports.lookUp(wantedOf(records, startedAtMs)),
    outbox,
    standings,
    underWay,
    ports,
    policy,
    attemptsUntilMs: startedAtMs + ATTEMPTING_TIME_MS,
    writesUntilMs: startedAtMs + WRITING_TIME_MS,
  };
  const groups = Map.groupBy(records, (record) => orderingKey(nameOf(record)));

  const allGroups = Promise.all(
    [...groups.values()].map(async (group) => {
      try {
        await deliverGroup(group, batch);
      } catch (error) {
        // A fault of ours stays with the group that met it: the others of the batch have been sent and must be recorded.
        ports.observer.fault(error, group);
      }
    }),
  );
  await accompany(allGroups, batch);
  await writeUntil(batch.writesUntilMs, () => outbox.flush({ release: false }), ports);
  await underWay.told();
  return records.filter((record) => !outbox.isDone(record)).map(({ recordId }) => recordId);
}

/** While some groups are under way, tells of attempts that hang, and writes and lets go what others have brought about. */
async function accompany(allGroups: Promise<unknown>, { outbox, underWay, ports }: Batch): Promise<void> {
  const finished = allGroups.then(() => 'finished' as const);
  while ((await Promise.race([finished, ports.after(LOOK_MS)])) !== 'finished') {
    underWay.tellUnanswered(ports.now());
    if (!outbox.isEmpty) {
      // What fails here stays in the outbox, and is tried once more at the end.
      await outbox.flush({ release: true }).catch((error) => ports.observer.fault(error, []));
    }
  }
}

function wantedOf(records: readonly Incoming[], nowMs: number): Wanted {
  const deliveries = records.filter((record) => 'message' in record);
  return {
    subscriptions: records.map(nameOf),
    keys: [...new Set(records.map((record) => orderingKey(nameOf(record))))],
    messageIds: [
      ...deliveries
        .filter(({ message, receiveCount }) => mayBeRepeat(message, receiveCount, nowMs))
        .map(({ message }) => message.message_id),
      ...records.flatMap((record) => ('hint' in record ? (record.hint.message_id ?? []) : [])),
    ],
    resourceKeys: deliveries
      .map(({ message }) => message)
      .filter(({ resource }) => resource === undefined)
      .map(resourceKey),
  };
}
