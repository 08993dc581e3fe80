import type { Duration } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { DeduplicationScope, FifoThroughputLimit, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DataKey } from '../data/data-key.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import { encryptWith, feedFrom, KEPT, type ReadBy, visibilityOf } from './queue-rules.ts';

/**
 * A fault of ours that strikes everybody has to hold the line, not empty it into the dead letters out of order. What one record alone
 * causes is buried by the worker itself, so this number is reached only by hours of a standing fault.
 */
const MAX_RECEIVE_COUNT = 100;

interface FifoWorkQueueProps extends ReadBy {
  /** Whether a record's own content tells repeats apart. @default false: each sender gives an id */
  readonly contentBasedDeduplication?: boolean;
  /** @default - a key that SQS owns */
  readonly encryptionKey?: DataKey | undefined;
}

/** Work in order of each group: a FIFO queue, its dead letters, and the one way to read it. */
export class FifoWorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly #workerTimeout: Duration;

  constructor(scope: Construct, id: string, props: FifoWorkQueueProps) {
    super(scope, id);
    this.#workerTimeout = props.workerTimeout;
    const common = { ...KEPT, fifo: true } as const;
    this.deadLetters = new Queue(this, 'DeadLetters', common);
    this.queue = new Queue(this, 'Queue', {
      ...common,
      visibilityTimeout: visibilityOf(props),
      contentBasedDeduplication: props.contentBasedDeduplication ?? false,
      // Together these are SQS's high throughput mode.
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
    encryptWith(props.encryptionKey, this.queue, this.deadLetters);
  }

  /** Has a function read the queue: whole batches, several groups in each, what failed reported one by one. */
  feed(worker: ServiceFunction, maxConcurrency: number): void {
    feedFrom(this.queue, worker, { maxConcurrency, workerTimeout: this.#workerTimeout });
  }

  /** Lets a worker put aside, with its reason, what it cannot use. */
  grantDeadLetter(grantee: IGrantable): void {
    this.deadLetters.grant(grantee, 'sqs:SendMessage');
  }
}
