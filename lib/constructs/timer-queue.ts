import type { Duration } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { feedFrom, KEPT } from './queue-rules.ts';
import type { ServiceFunction } from './service-function.ts';

/** A timer that so many tries could not set off is of no use any more: sweep has long found what it was for, and sent another. */
const MAX_RECEIVE_COUNT = 10;

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
    this.deadLetters = new Queue(this, 'DeadLetters', KEPT);
    this.queue = new Queue(this, 'Queue', {
      ...KEPT,
      visibilityTimeout,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
  }

  /** Has a function set off the timers whose time has come, what failed reported one by one. */
  feed(worker: ServiceFunction, maxConcurrency: number): void {
    feedFrom(this.queue, worker, maxConcurrency);
  }

  grantArm(grantee: IGrantable): void {
    this.queue.grant(grantee, 'sqs:SendMessage');
  }
}
