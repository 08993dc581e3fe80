import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type CfnQueue, type Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { DataKey } from './data-key.ts';
import type { ServiceFunction } from './service-function.ts';

/** How each of our queues keeps its records: SQS keeps nothing longer than 14 days; neither would it help to lose a record sooner. */
export const KEPT = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} as const;

/** SQS asks KMS for a data key once in so long for each that sends or receives, instead of every five minutes. A disabled key is of use for as long. */
const DATA_KEY_REUSED = Duration.hours(1);

/**
 * Has SQS encrypt queues with a key of the stage, where there is one. Who may use it is said by `DataKey`, which CDK's own grants would say less
 * exactly.
 */
export function encryptWith(key: DataKey | undefined, ...queues: readonly Queue[]): void {
  if (key === undefined) {
    return;
  }
  for (const queue of queues) {
    const resource = queue.node.defaultChild as CfnQueue;
    resource.sqsManagedSseEnabled = undefined;
    resource.kmsMasterKeyId = key.keyArn;
    resource.kmsDataKeyReusePeriodSeconds = DATA_KEY_REUSED.toSeconds();
  }
}

/** Of a FIFO queue, and of any without a batching window, which would delay a lone record, Lambda takes at most so many at once. */
const BATCH_SIZE = 10;

/** The one way in which a function reads a queue: what failed is reported record by record. */
export function feedFrom(queue: Queue, worker: ServiceFunction, maxConcurrency: number): void {
  worker.live.addEventSource(
    new SqsEventSource(queue, { batchSize: BATCH_SIZE, maxConcurrency, reportBatchItemFailures: true }),
  );
}
