import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { ReceiverEnv } from '../../functions/load-lab/receiver/env.ts';
import { receiverTable } from '../../functions/load-lab/receiver/store/table-keys.ts';
import { table } from '../constructs/data/table.ts';
import { EmptyPipeline } from '../constructs/functions/empty-pipeline.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import type { Stage } from '../stage.ts';
import { busNameOf } from './data-stack.ts';
import type { PipelineStack } from './pipeline-stack.ts';

interface LoadLabStackProps extends StackProps {
  readonly stage: Stage;
  readonly pipeline: PipelineStack;
}

/**
 * A simulated receiver that is slow, fails or hangs as configured and remembers what it received; and the
 * empty pipeline, as a baseline for latency.
 */
export class LoadLabStack extends Stack {
  readonly receiver: ServiceFunction;
  /** With a final slash. */
  readonly receiverUrl: string;
  /** What the receiver remembers. */
  readonly receipts: Table;

  readonly empty: EmptyPipeline;

  constructor(scope: Construct, id: string, props: LoadLabStackProps) {
    super(scope, id, props);
    const { stage, pipeline } = props;
    const receipts = table(this, 'Receipts', {
      stage,
      partitionKey: receiverTable.partitionKey,
      sortKey: receiverTable.sortKey,
      timeToLive: receiverTable.timeToLive,
    });
    this.receiver = new ServiceFunction(this, 'Receiver', {
      stage,
      name: 'receiver',
      description: 'A simulated receiver of webhooks',
      timeout: Duration.seconds(60),
      memorySizeMiB: 512,
      environment: {
        RECEIVER_TABLE: receipts.tableName,
        // The function URL is public. On AWS only principals who may invoke the function can configure it.
        RECEIVER_CONTROL: stage.emulated ? 'open' : 'iam',
      } satisfies ReceiverEnv,
    });
    this.receiver.allowTable(
      receipts,
      'GetItem',
      'PutItem',
      'UpdateItem',
      'Query',
      'DeleteItem',
      'BatchWriteItem',
    );
    const url = this.receiver.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });

    this.receiverUrl = url.url;
    this.receipts = receipts;

    // Its rule refers to the pipeline's bus by name.
    this.addStackDependency(pipeline);
    this.empty = new EmptyPipeline(this, 'Empty', { stage, busName: busNameOf(stage) });

    new CfnOutput(this, 'ReceiverUrl', { value: url.url });
    new CfnOutput(this, 'ReceiverTableName', { value: receipts.tableName });
    new CfnOutput(this, 'ReceiverFunctionName', { value: this.receiver.functionName });
    new CfnOutput(this, 'EmptySinkLogGroupName', { value: this.empty.sink.logGroup.logGroupName });
  }
}
