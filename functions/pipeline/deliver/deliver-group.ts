import { RefusedError } from '../../core/errors/refused-error.ts';
import { NewerFormatError } from '../../core/event/format-version.ts';
import { concludedRecord } from '../../core/message/outcome.ts';
import { isLongDisabled } from '../../core/ordering/gate.ts';
import type { Killer } from '../../core/ordering/suspects.ts';
import { signal } from '../../core/signal/signal.ts';
import { isPulled } from '../../core/subscription/subscription.ts';
import { type Batch, UntakenError } from './batch.ts';
import { headOfDelivery, newRecordOf, queuedMessageOf, untakenOf } from './look-up.ts';
import { advance } from './ordering-key/advance.ts';
import { cancel } from './ordering-key/cancel.ts';
import { OrderingKeySession } from './ordering-key/ordering-key-session.ts';
import { ping } from './ordering-key/ping.ts';
import { resend } from './ordering-key/resend.ts';
import { resume } from './ordering-key/resume.ts';
import type { Delivery, Incoming } from './ports.ts';

/**
 * An ordering key that fills a batch of ten, the first record half a minute old, has fallen behind: its
 * messages move to the keys table, where they occupy no worker.
 */
const FULL_BATCH = 10;
const BEHIND_MS = 30_000;

/**
 * Handles the records of one ordering key, one after another: signals, and messages that come for the first
 * time. Once the ordering key is blocked, the messages that follow are queued behind its first.
 */
export async function deliverGroup(group: readonly Incoming[], batch: Batch): Promise<void> {
  const { found, writes, ports } = batch;
  const session = new OrderingKeySession((group[0] as Incoming).name, batch);
  const unreadable = found.internalErrors.get(session.orderingKey);
  if (unreadable instanceof NewerFormatError) {
    // A newer version of this function may be running beside this one, and can read it.
    throw unreadable;
  }
  if (unreadable !== undefined) {
    for (const record of group) {
      writes.deadLetter(record, 'key_unreadable', unreadable.message);
    }
    return;
  }
  // With no time for an attempt the first message is handed over, and the others are queued behind it.
  const firstBatch = hasFallenBehind(group, ports.now()) ? { ...batch, attemptsUntilMs: 0 } : batch;
  for (let index = 0; index < group.length; ) {
    const record = group[index] as Incoming;
    const untaken = untakenOf(record, found);
    if (untaken !== undefined) {
      // The record is redelivered, and all that is behind it.
      throw new UntakenError(untaken);
    }
    const run = session.key === undefined ? [] : runOfUnknown(group.slice(index), batch);
    index += Math.max(run.length, 1);
    await (run.length > 0
      ? park(run, session, batch)
      : orDeadLetter(record, batch, () => handleRecord(record, session, batch, firstBatch)));
  }
}

/** Handles a record, and dead-letters it when the store refuses what there is to be written of it. */
async function orDeadLetter(record: Incoming, { writes }: Batch, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof RefusedError)) {
      throw error;
    }
    writes.deadLetter(record, 'unstorable', error.message);
  }
}

async function handleRecord(
  record: Incoming,
  session: OrderingKeySession,
  batch: Batch,
  firstBatch: Batch,
): Promise<void> {
  const { found, writes, ports } = batch;
  if (record.killer !== undefined && ('signal' in record || record.message.ping)) {
    await setAside(record, record.killer, session, batch);
  } else if ('signal' in record) {
    const { signal } = record;
    const ask =
      signal.signal_kind === 'resend' ? resend : signal.signal_kind === 'cancel' ? cancel : undefined;
    await ask?.(record, session, batch);
    const signalKind = ask === undefined ? signal.signal_kind : 'resume';
    await resume({ ...record, signal: { ...signal, signal_kind: signalKind } }, session, batch);
    writes.done(record);
  } else if (isKnown(record, batch)) {
    const unreadable = found.internalErrors.get(record.message.message_id);
    if (unreadable !== undefined) {
      ports.observer.internalError(unreadable, [record]);
    }
    ports.observer.repeat(record.message);
    if (record.receiveCount > 1) {
      // A worker may have died, or not have heard that it was written, before it set a timer or sent a signal.
      await resume({ ...record, signal: signal(session.name, 'resume') }, session, batch);
    }
    writes.done(record);
  } else if (record.message.ping && !isPulled(found.subscriptions.get(record.message.subscription_id))) {
    const outcomes = await ping(record, batch);
    if (outcomes !== undefined) {
      writes.done(record, outcomes);
    }
  } else if (isUnwanted(record, batch)) {
    const cancelled = { state: 'cancelled', reason: 'disabled' } as const;
    const ended = concludedRecord(newRecordOf(record, found.subscriptions), cancelled, ports.now());
    ports.observer.concluded(ended);
    writes.done(record, [{ record: ended }]);
  } else {
    const { killer } = record;
    const head = {
      ...headOfDelivery(record, found),
      ...(killer === undefined ? {} : { internalError: new Error(killer.explanation) }),
    };
    const step = await advance({ head, signalKind: 'first', session, batch: firstBatch });
    if (step.kind === 'ended') {
      writes.done(record, step.outcomes);
      await session.followUp(step);
    } else {
      if (step.change !== undefined) {
        await session.move(step.change);
      }
      await session.followUp(step);
      writes.done(record);
    }
  }
}

/**
 * Sets a killer aside that is no message of its own: what it was to resume waits for an operator, or there is
 * nothing that could wait.
 */
async function setAside(
  record: Incoming,
  { explanation }: Killer,
  session: OrderingKeySession,
  { writes }: Batch,
): Promise<void> {
  const { key } = session;
  if (key === undefined) {
    writes.deadLetter(record, 'kills_worker', explanation);
    return;
  }
  if (key.state !== 'stuck') {
    await session.move({ input: { kind: 'got_stuck', explanation }, oldestSince: key.oldest_since });
  }
  writes.done(record);
}

/**
 * Whether the message is on record, readable or not: then it is decided or queued already, and this is a
 * repeat.
 */
function isKnown({ message }: Delivery, { found, writes }: Batch): boolean {
  const { message_id } = message;
  return (
    found.internalErrors.has(message_id) ||
    writes.recordOf(message_id) !== undefined ||
    found.records.has(message_id)
  );
}

/**
 * Whether its subscription has been disabled for days: such a message is not even queued behind those that
 * came in time.
 */
function isUnwanted({ message }: Delivery, { found, endpointHealths, ports, policy }: Batch): boolean {
  const subscription = found.subscriptions.get(message.subscription_id);
  return subscription !== undefined && isLongDisabled(endpointHealths.of(subscription), ports.now(), policy);
}

/** The messages up to the next signal, the next message on record, or one that cannot be handled now. */
function runOfUnknown(records: readonly Incoming[], batch: Batch): Delivery[] {
  const run: Delivery[] = [];
  for (const record of records) {
    if (
      'signal' in record ||
      record.message.ping ||
      untakenOf(record, batch.found) !== undefined ||
      isKnown(record, batch) ||
      isUnwanted(record, batch)
    ) {
      break;
    }
    run.push(record);
  }
  return run;
}

/**
 * Queues messages behind those that wait already: together or, should the store refuse one of them, one by
 * one.
 */
async function park(run: readonly Delivery[], session: OrderingKeySession, batch: Batch): Promise<void> {
  // A message may come twice in one group. The first record tells when it was admitted.
  const byMessage = [...Map.groupBy(run, ({ message }) => message.message_id).values()];
  try {
    await parkTogether(byMessage, session, batch);
  } catch (error) {
    if (!(error instanceof RefusedError)) {
      throw error;
    }
    for (const records of byMessage) {
      try {
        await parkTogether([records], session, batch);
      } catch (refusal) {
        if (!(refusal instanceof RefusedError)) {
          throw refusal;
        }
        for (const record of records) {
          batch.writes.deadLetter(record, 'unstorable', refusal.message);
        }
      }
    }
  }
}

/** @param byMessage the records of each message, one or more */
async function parkTogether(
  byMessage: readonly (readonly Delivery[])[],
  session: OrderingKeySession,
  batch: Batch,
): Promise<void> {
  const { found, writes, ports } = batch;
  const firsts = byMessage.map(([first]) => first as Delivery);
  const outcomes = firsts.map((first) => ({
    record: concludedRecord(
      newRecordOf(first, found.subscriptions),
      { state: 'parked', reason: 'behind_earlier' },
      ports.now(),
    ),
  }));
  await session.changeBehind({
    queuedMessages: firsts.map(({ message }) => queuedMessageOf(message)),
    outcomes,
  });
  for (const { record } of outcomes) {
    ports.observer.concluded(record);
  }
  for (const record of byMessage.flat()) {
    writes.done(record);
  }
}

function hasFallenBehind(group: readonly Incoming[], nowMs: number): boolean {
  return (
    group.length === FULL_BATCH &&
    group.every((record) => 'message' in record) &&
    nowMs - (group[0] as Delivery).message.admitted_at_ms > BEHIND_MS
  );
}
