import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { KEPT } from '../queues/queue-rules.ts';
import type { ServiceFunction } from './service-function.ts';

interface TableFollowerProps {
  /** Must have a stream. */
  readonly table: Table;
  readonly worker: ServiceFunction;
  /** Which changes invoke the worker; all others cost nothing. */
  readonly filter: Record<string, unknown>;
  /** How long changes are collected into a batch. */
  readonly window: Duration;
  /** Changes per batch; six megabytes end a batch earlier. */
  readonly batchSize: number;
  /**
   * A failing batch is retried this often, then the rest is dead-lettered. -1 retries until the changes are
   * too old. @default 10
   */
  readonly retries?: number;
  /**
   * Each batch names its shard, and the worker answers with a `state`. A failing batch is not halved then.
   * @default false
   */
  readonly namesShards?: boolean;
}

const DEFAULTS = { retries: 10, namesShards: false };

/**
 * The longest, because nobody needs its end, at which Lambda invokes the worker without records. Source:
 * "Implementing stateful DynamoDB stream processing in Lambda", AWS Lambda Developer Guide.
 */
const TUMBLING_WINDOW = Duration.minutes(15);

/** DynamoDB keeps changes for a day, so dead-lettered ones can still be read for another twelve hours. */
const MAX_RECORD_AGE = Duration.hours(12);

/**
 * Source: "IAM policy to allow an AWS Lambda function to access DynamoDB stream records", Amazon DynamoDB
 * Developer Guide.
 */
const FOLLOWING = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
];

/**
 * Invokes a function with the changes of a table, in the order of each shard. A dead letter holds the
 * position in the stream, not the changes themselves.
 */
export class TableFollower extends Construct {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: TableFollowerProps) {
    super(scope, id);
    const { table, worker, filter, window, batchSize, retries, namesShards } = { ...DEFAULTS, ...props };
    const stream = table.tableStreamArn;
    if (stream === undefined) {
      throw new Error(`${table.node.path} has no stream`);
    }
    this.deadLetters = new Queue(this, 'DeadLetters', KEPT);
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'This is the failure destination of a stream mapping; CDK recognises dead-letter queues by redrive policies only.',
    });
    // CDK's own grants also allow listing all streams of the account and reading the queue's attributes.
    worker.allow(FOLLOWING, stream);
    worker.allow(['sqs:SendMessage'], this.deadLetters.queueArn);
    worker.live.addEventSourceMapping('Changes', {
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      maxBatchingWindow: window,
      // More would need more writes. A shard takes about a thousand a second.
      parallelizationFactor: 1,
      // AWS documents that such batches are retried, but not that they are halved.
      bisectBatchOnError: !namesShards,
      ...(namesShards && { tumblingWindow: TUMBLING_WINDOW }),
      retryAttempts: retries,
      maxRecordAge: MAX_RECORD_AGE,
      filters: [filter],
      onFailure: { bind: () => ({ destination: this.deadLetters.queueArn }) },
    });
  }
}
