import { isLongDisabled } from '../core/next-step.ts';
import { concludedRecord } from '../core/outcome.ts';
import { advance } from './advance.ts';
import type { Batch } from './batch.ts';
import { headOfDelivery, newRecordOf, pointerOf } from './head.ts';
import { KeySession } from './key-session.ts';
import { ping } from './ping.ts';
import { type Delivery, type Incoming, nameOf, type Outcome } from './ports.ts';
import { resend } from './resend.ts';
import { resume } from './resume.ts';

/** A key of which so many records fill a batch, the first so old, has fallen behind: its messages go to the table, where they stop nobody. */
const FULL_BATCH = 10;
const BEHIND_MS = 30_000;

/**
 * Handles the records of one ordering key, one after another: hints, and messages that have come for the first time. Once the key is
 * paused, what follows is parked behind its head.
 */
export async function deliverGroup(group: readonly Incoming[], batch: Batch): Promise<void> {
  const { found, outbox, ports } = batch;
  const session = new KeySession(nameOf(group[0] as Incoming), batch);
  const unreadable = found.faults.get(session.orderingKey);
  if (unreadable !== undefined) {
    throw unreadable;
  }
  // Without time for an attempt, the first one is handed over and the others are parked behind it.
  const firstBatch = hasFallenBehind(group, ports.now()) ? { ...batch, attemptsUntilMs: 0 } : batch;
  for (let index = 0; index < group.length; ) {
    const record = group[index] as Incoming;
    index += 1;
    if ('hint' in record) {
      await (record.hint.wish === 'resend' ? resend : resume)(record, session, batch);
      outbox.done(record);
    } else if (isKnown(record, batch)) {
      ports.observer.repeat(record.message);
      outbox.done(record);
    } else if (record.message.ping) {
      await ping(record, session, batch);
    } else if (isUnwanted(record, batch)) {
      const cancelled = { state: 'cancelled', reason: 'disabled' } as const;
      const ended = concludedRecord(newRecordOf(record), cancelled, ports.now());
      ports.observer.concluded(ended);
      outbox.done(record, [{ record: ended }]);
    } else if (session.key === undefined) {
      const head = headOfDelivery(record, found);
      const end = async (outcome: Outcome) => outbox.done(record, [outcome]);
      if ((await advance({ head, wish: 'first', session, batch: firstBatch, end })) === 'paused') {
        outbox.done(record);
      }
    } else {
      const run = runOfUnknown(group.slice(index - 1), batch);
      await park(run, session, batch);
      index += run.length - 1;
    }
  }
}

/** Whether the message has an outcome, or a pointer: then its record has nothing more to say. */
function isKnown({ message }: Delivery, { found, outbox }: Batch): boolean {
  const id = message.message_id;
  return outbox.recordOf(id) !== undefined || found.records.has(id);
}

/** Whether nobody has enabled its subscription for days: then it does not even wait behind those that came in time. */
function isUnwanted({ message }: Delivery, { found, standings, ports, policy }: Batch): boolean {
  const subscription = found.subscriptions.get(message.subscription_id);
  return subscription !== undefined && isLongDisabled(standings.of(subscription), ports.now(), policy);
}

/** The records up to the next hint or the next message that is known. */
function runOfUnknown(records: readonly Incoming[], batch: Batch): Delivery[] {
  const run: Delivery[] = [];
  for (const record of records) {
    if ('hint' in record || isKnown(record, batch) || isUnwanted(record, batch)) {
      break;
    }
    run.push(record);
  }
  return run;
}

/** Has messages wait behind those that wait already. */
async function park(run: readonly Delivery[], session: KeySession, batch: Batch): Promise<void> {
  const { found, outbox, ports } = batch;
  // A message may stand in its group twice: it was admitted when the first one was.
  const copies = Map.groupBy(run, ({ message }) => message.message_id);
  const firsts = [...copies.values()].map(([first]) => first as Delivery);
  const outcomes = firsts
    .filter(({ message }) => !found.faults.has(message.message_id))
    .map((first) => ({
      record: concludedRecord(newRecordOf(first), { state: 'parked', reason: 'behind_earlier' }, ports.now()),
    }));
  await session.add(
    firsts.map(({ message }) => pointerOf(message)),
    outcomes,
  );
  for (const { record } of outcomes) {
    ports.observer.concluded(record);
  }
  for (const record of run) {
    outbox.done(record);
  }
}

function hasFallenBehind(group: readonly Incoming[], nowMs: number): boolean {
  const [first] = group;
  return (
    group.length === FULL_BATCH &&
    group.every((record) => 'message' in record) &&
    first !== undefined &&
    'message' in first &&
    nowMs - first.message.admitted_at_ms > BEHIND_MS
  );
}
