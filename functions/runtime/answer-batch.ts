import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { Delay } from '../adapters/sqs/redelivery-queue.ts';
import {
  type Killer,
  killerAfter,
  type ReceivedAgain,
  type Suspects,
  secondsIfKilled,
  suspectsApart,
} from '../core/ordering/suspects.ts';
import { GivenBack } from './given-back.ts';

/** What is asked of a function. */
export interface Work {
  readonly records: readonly SQSRecord[];
  /** The only record is one, and must be set aside. */
  readonly killer: Killer | undefined;
  /** Makes records of the batch visible again in seconds, at once. Never rejects. */
  readonly giveBack: (recordIds: readonly string[]) => Promise<void>;
}

export interface AnswerPorts {
  /**
   * Makes records visible again after their delays. Never rejects; answers the receipts of those for which
   * that failed.
   */
  readonly comeBack: (delays: readonly Delay[]) => Promise<ReadonlySet<string>>;
  /** Deletes records from the queue. */
  readonly release: (receipts: readonly string[]) => Promise<void>;
  readonly suspects: Suspects;
  /** Called when the work fails as a whole. Never fails. */
  readonly internalError: (error: unknown) => void;
  readonly now: () => number;
  /** When Lambda kills a worker, in ms after it began. */
  readonly timeLimitMs: number;
}

/** No suspect is begun with later than this part of the time limit: the rest is for its attempt. */
const BEGINNING_PART = 1 / 3;

/**
 * Processes a batch and returns its response to SQS. Never rejects: if the work fails as a whole, all records
 * are returned after 1 s, 2 s, 4 s ... (see `comeBacks`), while after a thrown error they would wait for the
 * end of the visibility timeout. Records that may have killed their workers are handled last, one by one, and
 * each after the ones before it have left the queue.
 *
 * @param work returns the ids of the records to be redelivered
 */
export async function answerBatch(
  records: readonly SQSRecord[],
  work: (asked: Work) => Promise<readonly string[]>,
  ports: AnswerPorts,
): Promise<SQSBatchResponse> {
  const startedAtMs = ports.now();
  const batch = new GivenBack(records, ports.comeBack);
  const handle = async (some: readonly SQSRecord[], killer?: Killer): Promise<readonly SQSRecord[]> => {
    let again: ReadonlySet<string>;
    try {
      again = new Set(await work({ records: some, killer, giveBack: (ids) => batch.giveBack(ids) }));
    } catch (error) {
      ports.internalError(error);
      again = new Set(some.map(({ messageId }) => messageId));
    }
    await batch.giveBack([...again]);
    return some.filter(({ messageId }) => !batch.has(messageId));
  };

  const { together, alone } = suspectsApart(records.map(receivedOf), startedAtMs, ports.timeLimitMs);
  let done = together.length === 0 ? [] : await handle(together.map(({ record }) => record));
  const beginsUntilMs = startedAtMs + BEGINNING_PART * ports.timeLimitMs;
  if (alone.length > 0) {
    const seconds = secondsIfKilled(ports.timeLimitMs);
    await ports.comeBack(alone.map(({ record }) => ({ receipt: record.receiptHandle, seconds })));
  }
  for (const one of alone) {
    const { record, recordId, receiveCount, isSuspect } = one;
    if (batch.hasGroupOf(record) || ports.now() > beginsUntilMs) {
      await batch.giveBack([recordId]);
      continue;
    }
    try {
      // What is done must not be redelivered because of what follows.
      await ports.release(done.map(({ receiptHandle }) => receiptHandle));
      const deaths = isSuspect ? await ports.suspects.begin(recordId, receiveCount) : 0;
      done = await handle([record], killerAfter(deaths));
    } catch (error) {
      ports.internalError(error);
      await batch.giveBack([recordId]);
    }
    if (isSuspect && batch.has(recordId)) {
      await ports.suspects.end(recordId, receiveCount).catch(ports.internalError);
    }
  }
  return { batchItemFailures: batch.ids.map((itemIdentifier) => ({ itemIdentifier })) };
}

function receivedOf(record: SQSRecord): ReceivedAgain & { readonly record: SQSRecord } {
  const { MessageGroupId, ApproximateReceiveCount, ApproximateFirstReceiveTimestamp } = record.attributes;
  return {
    record,
    recordId: record.messageId,
    group: MessageGroupId,
    receiveCount: Number(ApproximateReceiveCount),
    firstReceivedAtMs: Number(ApproximateFirstReceiveTimestamp),
  };
}
