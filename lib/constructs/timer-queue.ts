import { Duration } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

const RETENTION = Duration.days(14);

/** A timer that so many tries could not set off is of no use any more: sweep has long found what it was for, and sent another. */
const MAX_RECEIVE_COUNT = 10;

/** Without a batching window, which would delay a lone timer, Lambda takes at most so many records at once. */
const BATCH_SIZE = 10;

interface TimerQueueProps {
  /** How long a worker may take; has to exceed the worker's timeout one and a half times. */
  readonly visibilityTimeout: Duration;
}

/**
 * Timers of up to 15 minutes: records that a standard queue holds back, each for its own time, which a FIFO queue cannot. They have no order, may go off
 * twice, and say only what to look at.
 */
export class TimerQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { visibilityTimeout }: TimerQueueProps) {
    super(scope, id);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: RETENTION,
    } as const;
    this.deadLetters = new Queue(this, 'DeadLetters', common);
    this.queue = new Queue(this, 'Queue', {
      ...common,
      visibilityTimeout,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
  }

  /** Has a function set off the timers whose time has come, what failed reported one by one. */
  feed(worker: ServiceFunction, maxConcurrency: number): void {
    worker.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: BATCH_SIZE,
        maxConcurrency,
        reportBatchItemFailures: true,
      }),
    );
  }

  grantArm(grantee: IGrantable): void {
    this.queue.grant(grantee, 'sqs:SendMessage');
  }
}
