import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { ReceiverEnv } from '../../functions/load-lab/receiver/env.ts';
import { receiverTable } from '../../functions/load-lab/receiver/store/table-keys.ts';
import { table } from '../constructs/data/table.ts';
import { EmptyPipeline } from '../constructs/functions/empty-pipeline.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import type { Stage } from '../stages.ts';
import { busNameOf } from './data-stack.ts';
import type { PipelineStack } from './pipeline-stack.ts';

interface LoadLabStackProps extends StackProps {
  readonly stage: Stage;
  readonly pipeline: PipelineStack;
}

/** A partner to try things with: slow, failing or hanging as told, and it remembers what it was sent. And a way with nothing on it, to measure against. */
export class LoadLabStack extends Stack {
  readonly receiver: ServiceFunction;

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
        // Anybody may call a function URL: on AWS only who may invoke the function tells it how to behave.
        RECEIVER_CONTROL: stage.emulated ? 'open' : 'iam',
      } satisfies ReceiverEnv,
    });
    this.receiver.allow(
      [
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
        'dynamodb:Query',
        'dynamodb:DeleteItem',
        'dynamodb:BatchWriteItem',
      ],
      receipts.tableArn,
    );
    const url = this.receiver.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });

    // Its rule is on the bus of the pipeline, by name.
    this.addStackDependency(pipeline);
    this.empty = new EmptyPipeline(this, 'Empty', { stage, busName: busNameOf(stage) });

    new CfnOutput(this, 'ReceiverUrl', { value: url.url });
    new CfnOutput(this, 'ReceiverTableName', { value: receipts.tableName });
    new CfnOutput(this, 'ReceiverFunctionName', { value: this.receiver.functionName });
    new CfnOutput(this, 'EmptyNotesLogGroupName', { value: this.empty.note.logGroup.logGroupName });
  }
}
