import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { DeliveryPolicy } from '../../functions/core/delivery-policy.ts';
import type { DrainRoll } from './drain-roll.ts';
import type { FifoQueue } from './fifo-queue.ts';
import type { HistoryTable } from './history-table.ts';
import type { KeysTable } from './keys-table.ts';
import type { Received } from './queue-record.ts';
import type { Receivers } from './receivers.ts';
import type { RecoveryTable } from './recovery-table.ts';
import type { StandardQueue } from './standard-queue.ts';
import type { SubscriptionTable } from './subscription-table.ts';

/** All that the workers reach through their ports. */
export interface Surface {
  readonly deliveries: FifoQueue;
  readonly timers: StandardQueue;
  readonly eventsDeadLetters: FifoQueue;
  readonly subscriptions: SubscriptionTable;
  readonly keys: KeysTable;
  readonly history: HistoryTable;
  readonly recoveries: RecoveryTable;
  readonly receivers: Receivers;
  readonly drains: DrainRoll;
  readonly policy: DeliveryPolicy;
}

/** What a handler answers to Lambda. */
export function responseOf(again: readonly string[]): SQSBatchResponse {
  return { batchItemFailures: again.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** Only what the handlers read of it. */
export function sqsRecordOf({ id, receipt, body, group, receiveCount }: Received): SQSRecord {
  return {
    messageId: id,
    receiptHandle: receipt,
    body,
    attributes: { MessageGroupId: group, ApproximateReceiveCount: String(receiveCount) },
  } as SQSRecord;
}
