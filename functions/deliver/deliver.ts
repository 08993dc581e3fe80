import { mayBeRepeat } from '../core/look-up.ts';
import { orderingKey, resourceKey } from '../core/message.ts';
import { deliverGroup } from './deliver-group.ts';
import { Outbox } from './outbox.ts';
import type { DeliverPorts, Delivery, Wanted } from './ports.ts';

/** SQS keeps every group of a batch locked until the batch ends: after this what is finished is let go early. */
const EARLY_RELEASE_MS = 250;

/** A batch that starts now starts no try that could end later than this; the function has 60 s. */
const WORKING_TIME_MS = 50_000;

/** After this there may be no time left to write in. */
const WRITING_TIME_MS = 55_000;
const WRITING_PAUSE_MS = 500;

/**
 * Delivers a batch: groups at the same time, the records of a group one after another.
 *
 * @returns the ids of the records that come again
 */
export async function deliver(deliveries: readonly Delivery[], ports: DeliverPorts): Promise<string[]> {
  const startedAtMs = ports.now();
  const found = await ports.lookUp(wantedOf(deliveries, startedAtMs));
  const outbox = new Outbox(ports);
  const groups = Map.groupBy(deliveries, ({ message }) => orderingKey(message));

  const allGroups = Promise.all(
    [...groups.values()].map(async (group) => {
      try {
        await deliverGroup(group, found, outbox, startedAtMs + WORKING_TIME_MS, ports);
      } catch (error) {
        // A fault of ours stays with the group that met it: the others of the batch have been sent and must be recorded.
        ports.observeFault(error, group);
      }
    }),
  );
  await releaseEarly(allGroups, outbox, ports);
  await writeAll(outbox, startedAtMs + WRITING_TIME_MS, ports);
  return deliveries.filter((delivery) => !outbox.isDone(delivery)).map(({ recordId }) => recordId);
}

/** Writes what is left, again and again while there is time: given up, all that was just sent would be sent once more. */
async function writeAll(outbox: Outbox, endsAtMs: number, ports: DeliverPorts): Promise<void> {
  for (;;) {
    try {
      return await outbox.flush({ release: false });
    } catch (error) {
      if (ports.now() + WRITING_PAUSE_MS >= endsAtMs) {
        throw error;
      }
      ports.observeFault(error, []);
      await ports.after(WRITING_PAUSE_MS);
    }
  }
}

/** While some groups are still under way, writes and lets go what others have brought about. */
async function releaseEarly(allGroups: Promise<unknown>, outbox: Outbox, ports: DeliverPorts): Promise<void> {
  const finished = allGroups.then(() => 'finished' as const);
  while ((await Promise.race([finished, ports.after(EARLY_RELEASE_MS)])) !== 'finished') {
    if (!outbox.isEmpty) {
      // What fails here stays in the outbox, and is tried once more at the end.
      await outbox.flush({ release: true }).catch((error) => ports.observeFault(error, []));
    }
  }
}

function wantedOf(deliveries: readonly Delivery[], nowMs: number): Wanted {
  const messages = deliveries.map(({ message }) => message);
  return {
    subscriptions: messages,
    messageIds: deliveries
      .filter(({ message, receiveCount }) => mayBeRepeat(message, receiveCount, nowMs))
      .map(({ message }) => message.message_id),
    resourceKeys: messages.filter(({ resource }) => resource === undefined).map(resourceKey),
  };
}
