import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type CfnQueue, type Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { rulesOfBus } from '../../observability/rule-queries.ts';
import type { Pollers } from '../../pollers.ts';
import type { Settings } from '../../settings.ts';
import { LEAST_VISIBILITY_FACTOR, visibilitySeconds } from '../../worker-times.ts';
import type { DataKey } from '../data/data-key.ts';
import type { ServiceFunction } from '../functions/service-function.ts';

/**
 * How all our queues keep their records: 14 days, the most that SQS allows. Losing a record sooner helps
 * nobody.
 */
export const KEPT = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} as const;

/**
 * How long SQS reuses a data key for each sender and receiver; its default is five minutes. A disabled key
 * stays usable for as long.
 */
const DATA_KEY_REUSED = Duration.hours(1);

/**
 * Encrypts queues with the stage's key, if it has one. `DataKey` says who may use it, more precisely than
 * CDK's own grants.
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

/**
 * Lambda's limit for FIFO queues, and for standard queues without a batching window, which would delay a lone
 * record.
 */
const BATCH_SIZE = 10;

/** The reader of a queue. */
export interface ReadBy {
  readonly settings: Pick<Settings, 'name' | 'emulated' | 'visibilityFactor'>;
  /** The worker's timeout. */
  readonly workerTimeout: Duration;
}

/**
 * The visibility timeout of a queue.
 *
 * @throws when it is less than AWS advises
 */
export function visibilityOf({ settings, workerTimeout }: ReadBy): Duration {
  const least = settings.emulated ? 1 : LEAST_VISIBILITY_FACTOR;
  if (settings.visibilityFactor < least) {
    throw new Error(
      `${settings.name}: the visibility timeout must be at least ${least} times the worker's timeout, but visibilityFactor is ${settings.visibilityFactor}`,
    );
  }
  return Duration.seconds(visibilitySeconds(workerTimeout.toSeconds(), settings));
}

/**
 * Connects a worker to a queue, with failures reported record by record. The only way to do so.
 *
 * @param by the most workers, or provisioned pollers: AWS takes one of the two
 * @throws when the worker's timeout is longer than the one that the queue was made for
 */
export function feedFrom(
  queue: Queue,
  worker: ServiceFunction,
  { by, workerTimeout }: Pick<ReadBy, 'workerTimeout'> & { readonly by: number | Pollers },
): void {
  const seconds = worker.timeout?.toSeconds() ?? Number.POSITIVE_INFINITY;
  if (seconds > workerTimeout.toSeconds()) {
    throw new Error(
      `${worker.shortName} may take ${seconds} s, but its queue was made for a worker that takes ${workerTimeout.toSeconds()} s: two workers could process the same records`,
    );
  }
  worker.live.addEventSource(
    new SqsEventSource(queue, {
      batchSize: BATCH_SIZE,
      reportBatchItemFailures: true,
      ...(typeof by === 'number'
        ? { maxConcurrency: by }
        : { provisionedPollerConfig: { minimumPollers: by.minimum, maximumPollers: by.maximum } }),
    }),
  );
}

/**
 * Lets all rules of a bus send to a queue, by one statement: one for each of dozens would exceed the
 * size limit of a queue policy.
 *
 * @returns the policy, for rules to wait for: one that matches before it may send loses the event
 */
export function letRulesSend(queue: Queue, busName: string, sid: string): IConstruct {
  const rules = { service: 'events', resource: 'rule', resourceName: rulesOfBus(busName) };
  queue.addToResourcePolicy(
    new PolicyStatement({
      sid,
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnLike: { 'aws:SourceArn': Stack.of(queue).formatArn(rules) } },
    }),
  );
  return queue.node.findChild('Policy');
}

/** Lets a bus send to its own dead-letter queue. */
export function letBusSend(queue: Queue, busName: string): void {
  const bus = Stack.of(queue).formatArn({ service: 'events', resource: 'event-bus', resourceName: busName });
  queue.addToResourcePolicy(
    new PolicyStatement({
      sid: 'TheBusItself',
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': bus } },
    }),
  );
}
