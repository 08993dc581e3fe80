import type { SQSBatchResponse } from 'aws-lambda';
import type { FifoQueue } from './fifo-queue.ts';
import type { HistoryTable } from './history-table.ts';
import type { Receivers } from './receivers.ts';
import type { SubscriptionTable } from './subscription-table.ts';

/** All that the workers reach through their ports. */
export interface Surface {
  readonly deliveries: FifoQueue;
  readonly eventsDeadLetters: FifoQueue;
  readonly subscriptions: SubscriptionTable;
  readonly history: HistoryTable;
  readonly receivers: Receivers;
}

/** What a handler answers to Lambda. */
export function responseOf(again: readonly string[]): SQSBatchResponse {
  return { batchItemFailures: again.map((itemIdentifier) => ({ itemIdentifier })) };
}
