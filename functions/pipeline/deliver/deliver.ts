import type { SQSRecord } from 'aws-lambda';
import type { DeadLetter } from '../../adapters/sqs/dead-letters.ts';
import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import { type Reading, readFormat } from '../../core/event/format-version.ts';
import { isOfPayment, orderingKey } from '../../core/message/message.ts';
import { MESSAGE_FORMAT, SIGNAL_FORMAT } from '../../core/message/travelling-formats.ts';
import type { Killer } from '../../core/ordering/suspects.ts';
import type { Batch } from './batch.ts';
import { BatchWrites } from './batch-writes.ts';
import { deliverGroup } from './deliver-group.ts';
import { EndpointCounts } from './endpoint/endpoint-counts.ts';
import { EndpointHealths } from './endpoint/endpoint-healths.ts';
import { lookUpApart } from './look-up.ts';
import { WRITING_SLEEP_MS } from './ordering-key/ordering-key-session.ts';
import type { Deferred, DeliverPorts, Delivery, Incoming, Signalled } from './ports.ts';

/** How often a batch releases what is finished: SQS keeps all of its groups locked until it ends. */
const LOOK_MS = 250;

/**
 * No attempt of a batch starts that could end later than this after the batch began; the function has 60 s.
 */
const ATTEMPTING_TIME_MS = 50_000;

/** Failed writes are retried until then: after that there may be no time left to write in. */
const WRITING_TIME_MS = 55_000;

/** How long a batch that is done waits for what only other workers need: its groups stay locked meanwhile. */
const TELLING_TIME_MS = 2_000;

/**
 * Handles a batch: groups at the same time, the records of a group one after another. Never rejects as long
 * as its ports keep their promises: an internal error stays with the group that met it.
 *
 * @param startedAtMs when the invocation began: the batch may have waited for room since
 * @returns the ids of the records to be redelivered: only internal errors leave any
 */
export async function deliver(
  records: readonly Incoming[],
  ports: DeliverPorts,
  policy: DeliveryPolicy,
  startedAtMs = ports.now(),
): Promise<string[]> {
  const groups = Map.groupBy(records, (record) => orderingKey(record.name));
  const writes = new BatchWrites(ports);
  const endpointHealths = new EndpointHealths(ports, policy);
  const endpointCounts = new EndpointCounts(ports, endpointHealths, policy.circuit);
  const batch: Batch = {
    found: await lookUpApart([...groups.values()], ports),
    writes,
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
        // Now, and not when the slowest endpoint of the batch has answered.
        await ports.giveBack(group.filter((record) => !writes.isDecided(record)));
      }
    }),
  );
  await releaseEarly(allGroups, batch);
  await writeRest(batch);
  await Promise.race([
    endpointCounts.told().catch((error) => ports.observer.internalError(error, [])),
    ports.after(TELLING_TIME_MS),
  ]);
  return records.filter((record) => !writes.isWritten(record)).map(({ recordId }) => recordId);
}

/**
 * While groups are under way, tells other workers about their endpoints, and writes and releases what others
 * have finished.
 */
async function releaseEarly(
  allGroups: Promise<unknown>,
  { writes, endpointCounts, ports }: Batch,
): Promise<void> {
  const finished = allGroups.then(() => 'finished' as const);
  while ((await Promise.race([finished, ports.after(LOOK_MS)])) !== 'finished') {
    try {
      endpointCounts.tell(ports.now());
      if (!writes.isEmpty) {
        await writes.flush({ release: true });
      }
    } catch (error) {
      // What is not written stays in the writes until the end of the batch.
      ports.observer.internalError(error, []);
    }
  }
}

/**
 * Writes the rest, and retries while there is time: what was sent and is not on record would be sent again.
 */
async function writeRest({ writes, ports, writesUntilMs }: Batch): Promise<void> {
  for (let release = false; ; release = true) {
    try {
      await writes.flush({ release });
    } catch (error) {
      ports.observer.internalError(error, []);
    }
    if (writes.isEmpty || ports.now() + WRITING_SLEEP_MS >= writesUntilMs) {
      return;
    }
    await ports.after(WRITING_SLEEP_MS);
  }
}

interface Deliveries {
  readonly incoming: Incoming[];
  /** Neither message nor signal. */
  readonly unreadable: DeadLetter[];
  /** They are redelivered: while two versions of this function run, the other one may know the format. */
  readonly deferred: Deferred[];
}

/**
 * Reads the records of a batch, messages and signals. A record of a newer format version is deferred, and
 * with it all that come behind it in its group: dead-lettered, it would be overtaken by these. A killer has
 * its ordering key wait for an operator; if that kills as well, it is dead-lettered unread.
 *
 * @param killer what to say of these records
 */
export function readDeliveries(
  records: readonly SQSRecord[],
  killer?: Killer,
  formats: Formats = FORMATS,
): Deliveries {
  const incoming: Incoming[] = [];
  const unreadable: DeadLetter[] = [];
  const deferred: Deferred[] = [];
  const deferredGroups = new Set<string>();
  for (const { messageId: recordId, receiptHandle: receipt, body, attributes } of records) {
    const group = attributes.MessageGroupId ?? '';
    const receiveCount = Number(attributes.ApproximateReceiveCount);
    const firstReceivedAtMs = Number(attributes.ApproximateFirstReceiveTimestamp);
    if (killer?.killsReaders) {
      unreadable.push({ recordId, group, body, reason: 'kills_worker', explanation: killer.explanation });
      continue;
    }
    const read = deferredGroups.has(group) ? BEHIND : readBody(parse(body), formats);
    switch (read.kind) {
      case 'read':
        incoming.push({
          recordId,
          group,
          body,
          receipt,
          receiveCount,
          firstReceivedAtMs,
          killer,
          ...read.value,
        });
        break;
      case 'unreadable':
        unreadable.push({ recordId, group, body, reason: 'unreadable', explanation: read.explanation });
        break;
      case 'newer':
        deferred.push({ recordId, group, receiveCount, version: read.version });
        deferredGroups.add(group);
        break;
      case 'behind':
        deferred.push({ recordId, group, receiveCount });
        break;
    }
  }
  return { incoming, unreadable, deferred };
}

const FORMATS = { message: MESSAGE_FORMAT, signal: SIGNAL_FORMAT };
type Formats = typeof FORMATS;
type Content = Pick<Delivery, 'name' | 'message'> | Pick<Signalled, 'name' | 'signal'>;

const BEHIND = { kind: 'behind' } as const;

function readBody(body: unknown, { signal, message }: Formats): Reading<Content> {
  // Only a signal has a `signal_kind`.
  if (typeof body === 'object' && body !== null && 'signal_kind' in body) {
    const read = readFormat(body, signal);
    return read.kind === 'read' ? ofItsPayment({ name: read.value, signal: read.value }) : read;
  }
  const read = readFormat(body, message);
  return read.kind === 'read' ? ofItsPayment({ name: read.value, message: read.value }) : read;
}

/** Its message lies in the history where its id says. */
function ofItsPayment(value: Content): Reading<Content> {
  const { message_id } = 'signal' in value ? value.signal : value.message;
  return message_id === undefined || isOfPayment(message_id, value.name)
    ? { kind: 'read', value }
    : { kind: 'unreadable', explanation: 'message_id: is of another payment' };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
