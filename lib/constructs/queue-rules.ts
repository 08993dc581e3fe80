import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { ServiceFunction } from './service-function.ts';

/** How each of our queues keeps its records: SQS keeps nothing longer than 14 days; neither would it help to lose a record sooner. */
export const KEPT = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} as const;

/** Of a FIFO queue, and of any without a batching window, which would delay a lone record, Lambda takes at most so many at once. */
const BATCH_SIZE = 10;

/** The one way in which a function reads a queue: what failed is reported record by record. */
export function feedFrom(queue: Queue, worker: ServiceFunction, maxConcurrency: number): void {
  worker.addEventSource(
    new SqsEventSource(queue, { batchSize: BATCH_SIZE, maxConcurrency, reportBatchItemFailures: true }),
  );
}
