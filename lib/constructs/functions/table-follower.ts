import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { KEPT } from '../queues/queue-rules.ts';
import type { ServiceFunction } from './service-function.ts';

interface TableFollowerProps {
  /** Has a stream. */
  readonly table: Table;
  readonly worker: ServiceFunction;
  /** What the changes look like that the worker is told of; all others cost nothing. */
  readonly filter: Record<string, unknown>;
  /** How long changes are collected before they are handed over. */
  readonly window: Duration;
  /** So many changes are handed over at a time, or six megabytes of them. @default 500 */
  readonly batchSize?: number;
  /** Of each shard of the stream, which takes about a thousand writes a second. @default 2 */
  readonly batchesAtATime?: number;
  /** A batch that fails is halved and tried again; after so many times what is left of it is put aside; -1: only once it is too old. @default 10 */
  readonly retries?: number;
}

const DEFAULTS = { batchSize: 500, batchesAtATime: 2, retries: 10 };

/** DynamoDB keeps changes for a day: what is given up by then can still be looked at. */
const GIVEN_UP_AFTER = Duration.hours(12);

/** Source: "IAM policy to allow an AWS Lambda function to access DynamoDB stream records", Amazon DynamoDB Developer Guide. */
const FOLLOWING = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
];

/**
 * Has a function follow the changes of a table, those of each partition in order. Of what it cannot take, the dead letters get the place in the stream,
 * not the changes themselves.
 */
export class TableFollower extends Construct {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: TableFollowerProps) {
    super(scope, id);
    const { table, worker, filter, window, batchSize, batchesAtATime, retries } = { ...DEFAULTS, ...props };
    const stream = table.tableStreamArn;
    if (stream === undefined) {
      throw new Error(`${table.node.path} has no stream to be followed`);
    }
    this.deadLetters = new Queue(this, 'DeadLetters', KEPT);
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'This is where the mapping of a stream puts what failed; CDK knows it as such only for redrive policies.',
    });
    // CDK's own grants would let it list all streams of the account, and ask for what the queue is like.
    worker.allow(FOLLOWING, stream);
    worker.allow(['sqs:SendMessage'], this.deadLetters.queueArn);
    worker.live.addEventSourceMapping('Changes', {
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      maxBatchingWindow: window,
      parallelizationFactor: batchesAtATime,
      bisectBatchOnError: true,
      retryAttempts: retries,
      maxRecordAge: GIVEN_UP_AFTER,
      filters: [filter],
      onFailure: { bind: () => ({ destination: this.deadLetters.queueArn }) },
    });
  }
}
