import type { Duration } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';
import { feedFrom, KEPT, type ReadBy, visibilityOf } from './queue-rules.ts';

/** A timer that so many tries could not set off is of no use any more: sweep has long found what it was for, and sent another. */
const MAX_RECEIVE_COUNT = 10;

/**
 * Timers of up to 15 minutes: records that a standard queue holds back, each for its own time, which a FIFO queue cannot. They have no order, may go off
 * twice, and say only what to look at.
 */
export class TimerQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly #workerTimeout: Duration;

  constructor(scope: Construct, id: string, readBy: ReadBy) {
    super(scope, id);
    this.#workerTimeout = readBy.workerTimeout;
    this.deadLetters = new Queue(this, 'DeadLetters', KEPT);
    this.queue = new Queue(this, 'Queue', {
      ...KEPT,
      visibilityTimeout: visibilityOf(readBy),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
  }

  /** Has a function set off the timers whose time has come, what failed reported one by one. */
  feed(worker: ServiceFunction, maxConcurrency: number): void {
    feedFrom(this.queue, worker, { maxConcurrency, workerTimeout: this.#workerTimeout });
  }

  grantArm(grantee: IGrantable): void {
    this.queue.grant(grantee, 'sqs:SendMessage');
  }
}
