import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { DeliveryPolicy } from '../../functions/core/attempt/delivery-policy.ts';
import type { DeliverObserver } from '../../functions/pipeline/deliver/ports.ts';
import { answerBatch } from '../../functions/runtime/answer-batch.ts';
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
import type { Invocation } from './workers/invocation.ts';

/** Hears what workers report, besides what is in the event log. */
export interface Listener extends Pick<DeliverObserver, 'tried' | 'concluded'> {
  /** An internal error, or something that only an operator can mend. */
  fault(error: unknown): void;
}

/** All that the workers reach through their ports. */
export interface Surface {
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
  readonly policy: DeliveryPolicy;
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
  queue: FifoQueue | StandardQueue,
  invocation: Invocation,
  work: () => Promise<readonly string[]>,
  listener?: Listener,
): Promise<SQSBatchResponse> {
  const groups = new Map(records.map(({ receipt, group }) => [receipt, group]));
  return answerBatch(records.map(sqsRecordOf), work, {
    comeBack: (delays) => {
      const act = () => {
        for (const { receipt, seconds } of delays) {
          if (!invocation.meets('lostRelease', 'come back', groups.get(receipt))) {
            queue.changeVisibility(receipt, seconds * 1_000);
          }
        }
      };
      return delays.length === 0
        ? Promise.resolve()
        : invocation.call('come back', act, { rejects: false, size: delays.length });
    },
    internalError: (error) => {
      invocation.error = error;
      reporter(invocation, listener)(error);
    },
  });
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
