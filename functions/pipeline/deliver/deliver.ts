import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { orderingKey } from '../../core/message/message.ts';
import type { Batch } from './batch.ts';
import { deliverGroup } from './deliver-group.ts';
import { EndpointCounts } from './endpoint/endpoint-counts.ts';
import { EndpointHealths } from './endpoint/endpoint-healths.ts';
import { lookUpApart } from './look-up.ts';
import { WRITING_SLEEP_MS } from './ordering-key/ordering-key-session.ts';
import { Outbox } from './outbox.ts';
import type { DeliverPorts } from './ports.ts';
import { type Incoming, nameOf } from './read-deliveries.ts';

/** How often a batch releases what is finished: SQS keeps all of its groups locked until it ends. */
const LOOK_MS = 250;

/**
 * No attempt of a batch starts that could end later than this after the batch began; the function has 60 s.
 */
const ATTEMPTING_TIME_MS = 50_000;

/** Failed writes are retried until then: after that there may be no time left to write in. */
const WRITING_TIME_MS = 55_000;

/**
 * Handles a batch: groups at the same time, the records of a group one after another. Never rejects as long
 * as its ports keep their promises: an internal error stays with the group that met it.
 *
 * @param startedAtMs when the invocation began: the batch may have waited for room since
 * @returns the ids of the records that come again: only internal errors leave any
 */
export async function deliver(
  records: readonly Incoming[],
  ports: DeliverPorts,
  policy: DeliveryPolicy,
  startedAtMs = ports.now(),
): Promise<string[]> {
  const groups = Map.groupBy(records, (record) => orderingKey(nameOf(record)));
  const outbox = new Outbox(ports);
  const endpointHealths = new EndpointHealths(ports, policy);
  const endpointCounts = new EndpointCounts(ports, endpointHealths, policy.circuit);
  const batch: Batch = {
    found: await lookUpApart([...groups.values()], ports),
    outbox,
    endpointHealths,
    endpointCounts,
    ports,
    policy,
    attemptsUntilMs: startedAtMs + ATTEMPTING_TIME_MS,
    writesUntilMs: startedAtMs + WRITING_TIME_MS,
  };

  const allGroups = Promise.all(
    [...groups.values()].map(async (group) => {
      try {
        await deliverGroup(group, batch);
      } catch (error) {
        // The other groups of the batch have been sent, and have to be recorded.
        ports.observer.internalError(error, group);
      }
    }),
  );
  await releaseEarly(allGroups, batch);
  await writeRest(batch);
  await endpointCounts.told().catch((error) => ports.observer.internalError(error, []));
  return records.filter((record) => !outbox.isDone(record)).map(({ recordId }) => recordId);
}

/**
 * While groups are under way, tells other workers about their endpoints, and writes and releases what others
 * have finished.
 */
async function releaseEarly(
  allGroups: Promise<unknown>,
  { outbox, endpointCounts, ports }: Batch,
): Promise<void> {
  const finished = allGroups.then(() => 'finished' as const);
  while ((await Promise.race([finished, ports.after(LOOK_MS)])) !== 'finished') {
    try {
      endpointCounts.tell(ports.now());
      if (!outbox.isEmpty) {
        await outbox.flush({ release: true });
      }
    } catch (error) {
      // What is not written stays in the outbox until the end of the batch.
      ports.observer.internalError(error, []);
    }
  }
}

/**
 * Writes the rest, and retries while there is time: what was sent and is not on record would be sent again.
 */
async function writeRest({ outbox, ports, writesUntilMs }: Batch): Promise<void> {
  for (let release = false; ; release = true) {
    try {
      await outbox.flush({ release });
    } catch (error) {
      ports.observer.internalError(error, []);
    }
    if (outbox.isEmpty || ports.now() + WRITING_SLEEP_MS >= writesUntilMs) {
      return;
    }
    await ports.after(WRITING_SLEEP_MS);
  }
}
