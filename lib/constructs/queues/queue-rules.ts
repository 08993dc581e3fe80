import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type CfnQueue, type Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Stage } from '../../stages.ts';
import { LEAST_VISIBILITY_FACTOR, visibilitySeconds } from '../../worker-times.ts';
import type { DataKey } from '../data/data-key.ts';
import type { ServiceFunction } from '../functions/service-function.ts';

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

/** Who reads a queue. */
export interface ReadBy {
  readonly stage: Pick<Stage, 'name' | 'emulated' | 'visibilityFactor'>;
  /** How long it may take. */
  readonly workerTimeout: Duration;
}

/**
 * For how long what a worker has received is invisible to others.
 *
 * @throws when that is less than AWS advises
 */
export function visibilityOf({ stage, workerTimeout }: ReadBy): Duration {
  const least = stage.emulated ? 1 : LEAST_VISIBILITY_FACTOR;
  if (stage.visibilityFactor < least) {
    throw new Error(
      `${stage.name}: records have to be invisible for ${least} times their worker's time, and visibilityFactor is ${stage.visibilityFactor} (lib/stages.ts)`,
    );
  }
  return Duration.seconds(visibilitySeconds(workerTimeout.toSeconds(), stage));
}

/**
 * The one way in which a function reads a queue: what failed is reported record by record.
 *
 * @throws when the function may take longer than the queue was made for
 */
export function feedFrom(
  queue: Queue,
  worker: ServiceFunction,
  { maxConcurrency, workerTimeout }: Pick<ReadBy, 'workerTimeout'> & { readonly maxConcurrency: number },
): void {
  const seconds = worker.timeout?.toSeconds() ?? Number.POSITIVE_INFINITY;
  if (seconds > workerTimeout.toSeconds()) {
    throw new Error(
      `${worker.shortName} may take ${seconds} s, and its queue was made for a worker that takes ${workerTimeout.toSeconds()} s: a second one would be on the same records`,
    );
  }
  worker.live.addEventSource(
    new SqsEventSource(queue, { batchSize: BATCH_SIZE, maxConcurrency, reportBatchItemFailures: true }),
  );
}
