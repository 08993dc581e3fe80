import type { Duration } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { DeduplicationScope, FifoThroughputLimit, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Pollers } from '../../pollers.ts';
import type { DataKey } from '../data/data-key.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import { encryptWith, feedFrom, KEPT, type ReadBy, visibilityOf } from './queue-rules.ts';

/**
 * An internal error that affects every record must stop the queue, not move its records to the dead-letter
 * queue out of order. Workers dead-letter a single bad record themselves, so only hours of a lasting error
 * reach this number.
 */
const MAX_RECEIVE_COUNT = 100;

interface FifoWorkQueueProps extends ReadBy {
  /** Whether SQS deduplicates by content. @default false: each sender gives a deduplication id */
  readonly contentBasedDeduplication?: boolean;
  /** @default - a key that SQS owns */
  readonly encryptionKey?: DataKey | undefined;
}

/**
 * Work that is ordered within each message group: a FIFO queue, its dead-letter queue, and the one way to
 * read it.
 */
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
      // Together these two enable SQS's high throughput mode.
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
    encryptWith(props.encryptionKey, this.queue, this.deadLetters);
  }

  /**
   * Connects a worker: batches may hold several groups, and failures are reported record by record.
   *
   * @param by as `readBy` says
   */
  feed(worker: ServiceFunction, by: number | Pollers): void {
    feedFrom(this.queue, worker, { by, workerTimeout: this.#workerTimeout });
  }

  /** Lets a worker dead-letter a record that it cannot process, with the reason. */
  grantDeadLetter(grantee: IGrantable): void {
    this.deadLetters.grant(grantee, 'sqs:SendMessage');
  }
}
