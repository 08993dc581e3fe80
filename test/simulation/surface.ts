import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { DeliveryPolicy } from '../../functions/core/attempt/delivery-policy.ts';
import { answerBatch } from '../../functions/runtime/answer-batch.ts';
import type { FifoQueue } from './aws/fifo-queue.ts';
import type { HistoryTable } from './aws/history-table.ts';
import type { OrderingKeysTable } from './aws/ordering-keys-table.ts';
import type { RollCall } from './aws/period-count.ts';
import type { Received } from './aws/queue-record.ts';
import type { RecoveryTable } from './aws/recovery-table.ts';
import type { StandardQueue } from './aws/standard-queue.ts';
import type { SubscriptionTable } from './aws/subscription-table.ts';
import type { Receivers } from './people/receivers.ts';
import type { Invocation } from './workers/invocation.ts';

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
  readonly receivers: Receivers;
  readonly rollCall: RollCall;
  readonly policy: DeliveryPolicy;
}

/**
 * What a handler answers to Lambda; what comes back is visible again after seconds, as far as the queue hears of it.
 *
 * @param work answers the ids of the records that come again
 */
export function answered(
  records: readonly Received[],
  queue: FifoQueue | StandardQueue,
  invocation: Invocation,
  work: () => Promise<readonly string[]>,
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
      return delays.length === 0 ? Promise.resolve() : invocation.call('come back', act, { rejects: false });
    },
    internalError: (error) => {
      invocation.error = error;
      invocation.tell(() => `meets ${error}`);
    },
  });
}

/** Only what the handlers read of it. */
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
