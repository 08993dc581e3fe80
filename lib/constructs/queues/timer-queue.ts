import type { Duration } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';
import { feedFrom, KEPT, type ReadBy, visibilityOf } from './queue-rules.ts';

/** After this many tries a timer is obsolete: sweep has found what was due and sent another. */
const MAX_RECEIVE_COUNT = 10;

/**
 * Timers of up to 15 minutes: delayed records of a standard queue, because FIFO queues do not support a delay
 * per record. Timers are unordered, may go off twice, and only say what to look at.
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

  /** Connects a worker that handles due timers, with failures reported one by one. */
  feed(worker: ServiceFunction, maxConcurrency: number): void {
    feedFrom(this.queue, worker, { by: maxConcurrency, workerTimeout: this.#workerTimeout });
  }

  grantArm(grantee: IGrantable): void {
    this.queue.grant(grantee, 'sqs:SendMessage');
  }
}
