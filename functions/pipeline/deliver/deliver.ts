import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { orderingKey } from '../../core/message/message.ts';
import type { Batch } from './batch.ts';
import { deliverGroup } from './deliver-group.ts';
import { AnswerCounts } from './endpoint/answer-counts.ts';
import { EndpointHealths } from './endpoint/endpoint-healths.ts';
import { UnderWay } from './endpoint/under-way.ts';
import { lookUpApart } from './ordering-key/find-duplicates.ts';
import { WRITING_SLEEP_MS } from './ordering-key/write-until.ts';
import { Outbox } from './outbox.ts';
import { type DeliverPorts, type Incoming, nameOf } from './ports.ts';

/** A batch looks at itself so often. SQS keeps every group of it locked until it ends: what is finished by then is let go early. */
const LOOK_MS = 250;

/** A batch that starts now starts no attempt that could end later than this; the function has 60 s. */
const ATTEMPTING_TIME_MS = 50_000;

/** After this there may be no time left to write in. */
const WRITING_TIME_MS = 55_000;

/**
 * Handles a batch: groups at the same time, the records of a group one after another. Never rejects as long as its ports keep their promises: a fault of ours stays
 * with the group that met it.
 *
 * @param startedAtMs when its invocation began: it may have waited for room, and its time has run since
 * @returns the ids of the records that come again: only a fault of ours leaves any
 */
export async function deliver(
  records: readonly Incoming[],
  ports: DeliverPorts,
  policy: DeliveryPolicy,
  startedAtMs = ports.now(),
): Promise<string[]> {
  const groups = Map.groupBy(records, (record) => orderingKey(nameOf(record)));
  const outbox = new Outbox(ports);
  const healths = new EndpointHealths(ports, policy);
  const underWay = new UnderWay(ports, healths, policy.circuit);
  const answerCounts = new AnswerCounts(ports);
  const batch: Batch = {
    found: await lookUpApart([...groups.values()], ports),
    outbox,
    healths,
    underWay,
    answerCounts,
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
        // A fault of ours stays with the group that met it: the others of the batch have been sent and must be recorded.
        ports.observer.internalError(error, group);
      }
    }),
  );
  await accompany(allGroups, batch);
  await writeRest(batch);
  await Promise.all([underWay.told(), answerCounts.flush()]).catch((error) =>
    ports.observer.internalError(error, []),
  );
  return records.filter((record) => !outbox.isDone(record)).map(({ recordId }) => recordId);
}

/** While some groups are under way, says how many attempts are slow, and writes and lets go what others have brought about. */
async function accompany(
  allGroups: Promise<unknown>,
  { outbox, underWay, answerCounts, ports }: Batch,
): Promise<void> {
  const finished = allGroups.then(() => 'finished' as const);
  while ((await Promise.race([finished, ports.after(LOOK_MS)])) !== 'finished') {
    try {
      underWay.saySlow(ports.now());
      void answerCounts.flush();
      if (!outbox.isEmpty) {
        await outbox.flush({ release: true });
      }
    } catch (error) {
      // What fails here stays in the outbox, and is tried again at the end.
      ports.observer.internalError(error, []);
    }
  }
}

/** Writes what is left, again and again while there is time: given up, what was just sent would be sent once more. What is written does not wait for the rest. */
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
