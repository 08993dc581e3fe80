import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { DeliveryPolicy } from '../../functions/core/attempt/delivery-policy.ts';
import type { Catalogue } from '../../functions/core/catalogue/catalogue.ts';
import type { SchemaChecks } from '../../functions/core/catalogue/schema-check.ts';
import type { DeliverObserver } from '../../functions/pipeline/deliver/ports.ts';
import { answerBatch, type Work } from '../../functions/runtime/answer-batch.ts';
import type { FifoQueue } from './aws/queues/fifo-queue.ts';
import type { Received } from './aws/queues/queue-record.ts';
import type { StandardQueue } from './aws/queues/standard-queue.ts';
import type { HistoryTable } from './aws/tables/history-table.ts';
import type { OrderingKeysTable } from './aws/tables/ordering-keys-table.ts';
import type { RecoveryTable } from './aws/tables/recovery-table.ts';
import type { RollCall } from './aws/tables/roll-call.ts';
import type { SequenceTable } from './aws/tables/sequence-table.ts';
import type { SubscriptionTable } from './aws/tables/subscription-table.ts';
import type { Receivers } from './people/receivers.ts';
import { shareOf } from './plans/share.ts';
import { TIMEOUT_MS } from './workers/function-limits.ts';
import type { Invocation } from './workers/invocation.ts';

/** Hears what workers report, besides what is in the event log. */
export interface Listener extends Pick<DeliverObserver, 'tried' | 'concluded'> {
  /** An internal error, or something that only an operator can mend. */
  fault(error: unknown): void;
}

/** All that the workers reach through their ports. */
export interface Surface {
  readonly catalogue: Catalogue;
  /** Undefined: no resource is checked. */
  readonly schemas?: SchemaChecks | undefined;
  readonly deliveries: FifoQueue;
  readonly timers: StandardQueue;
  readonly events: FifoQueue;
  readonly eventsDeadLetters: FifoQueue;
  readonly deliveriesDeadLetters: FifoQueue;
  readonly subscriptions: SubscriptionTable;
  readonly keys: OrderingKeysTable;
  readonly history: HistoryTable;
  readonly recoveries: RecoveryTable;
  readonly sequences: SequenceTable;
  readonly receivers: Pick<Receivers, 'post'>;
  readonly rollCall: RollCall;
  /**
   * The receives with which a worker began and did not end, by record. Absent where workers die at random:
   * so often that most would be set aside.
   */
  readonly suspects?: Map<string, Set<number>> | undefined;
  readonly policy: DeliveryPolicy;
  /** Publishers may send straight into `events`. */
  readonly hasQueueDoor?: boolean;
  readonly listener?: Listener;
}

/**
 * What a handler returns to Lambda. Failed records become visible again after seconds, unless that call
 * fails.
 *
 * @param work returns the ids of the records that failed
 */
export function answered(
  records: readonly Received[],
  worker: keyof typeof TIMEOUT_MS,
  queue: FifoQueue | StandardQueue,
  invocation: Invocation,
  work: (records: readonly Received[], asked: Work) => Promise<readonly string[]>,
  { suspects, listener }: Surface,
): Promise<SQSBatchResponse> {
  const groups = new Map(records.map(({ receipt, group }) => [receipt, group]));
  const begun = (recordId: string) => suspects?.get(recordId) ?? new Set<number>();
  const handle = (asked: Work) => {
    const some = records.filter(({ id }) => asked.records.some(({ messageId }) => messageId === id));
    invocation.isPoisoned = some.some(
      ({ id }) => !isSetAside(id, worker, asked) && invocation.meetsAt('poison', 'handle', id),
    );
    return work(some, asked);
  };
  return answerBatch(records.map(sqsRecordOf), handle, {
    comeBack: async (delays) => {
      const act = () => {
        for (const { receipt, seconds } of delays) {
          if (!invocation.meets('lostRelease', 'give back', groups.get(receipt))) {
            queue.changeVisibility(receipt, seconds * 1_000);
          }
        }
      };
      if (delays.length > 0) {
        await invocation.call('give back', act, { rejects: false, size: delays.length });
      }
      return new Set<string>();
    },
    release: async (receipts) => {
      const act = () => receipts.map((receipt) => queue.delete(receipt));
      if (receipts.length > 0) {
        await invocation.call('release', act, { rejects: true, size: receipts.length });
      }
    },
    suspects: {
      begin: (recordId, receiveCount) =>
        invocation.callTable('begin', () => {
          suspects?.set(recordId, begun(recordId).add(receiveCount));
          return Math.max(begun(recordId).size - 1, 0);
        }),
      end: (recordId, receiveCount) =>
        invocation.callTable('end', () => void begun(recordId).delete(receiveCount)),
    },
    internalError: (error) => {
      invocation.error = error;
      reporter(invocation, listener)(error);
    },
    now: invocation.workersTime,
    timeLimitMs: TIMEOUT_MS[worker],
  });
}

/** Half of those of `deliver` kill even who reads them to set them aside. */
function isSetAside(id: string, worker: string, { killer }: Work): boolean {
  const killsReaders = worker === 'deliver' && shareOf(`${id} cannot be read`) < 0.5;
  return killsReaders ? killer?.killsReaders === true : killer !== undefined;
}

/** Reports an internal error. */
export function reporter(invocation: Invocation, listener?: Listener): (error: unknown) => void {
  return (error) => {
    listener?.fault(error);
    invocation.tell(() => `meets ${error}`);
  };
}

/** The part that handlers read. */
export function sqsRecordOf({
  id,
  receipt,
  body,
  group,
  receiveCount,
  sentAtMs,
  firstReceivedAtMs,
}: Received): SQSRecord {
  return {
    messageId: id,
    receiptHandle: receipt,
    body,
    attributes: {
      MessageGroupId: group,
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(sentAtMs),
      ApproximateFirstReceiveTimestamp: String(firstReceivedAtMs),
    },
  } as SQSRecord;
}
