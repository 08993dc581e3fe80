import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ReceiverEnv } from '../../functions/load-lab/receiver/env.ts';
import { receiverTable } from '../../functions/load-lab/receiver/store/table-keys.ts';
import { table } from '../constructs/data/table.ts';
import { EmptyPipeline } from '../constructs/functions/empty-pipeline.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import type { Settings } from '../settings.ts';
import type { Pipeline } from './pipeline.ts';

interface LoadLabProps {
  readonly settings: Settings;
  readonly pipeline: Pipeline;
}

/**
 * A simulated receiver that is slow, fails or hangs as configured and remembers what it received; and the
 * empty pipeline, as a baseline for latency.
 */
export class LoadLab extends Construct {
  readonly receiver: ServiceFunction;
  readonly receiverUrl: string;
  readonly receipts: Table;
  readonly empty: EmptyPipeline;

  constructor(scope: Construct, id: string, props: LoadLabProps) {
    super(scope, id);
    const { settings, pipeline } = props;
    this.receipts = table(this, 'Receipts', {
      settings,
      partitionKey: receiverTable.partitionKey,
      sortKey: receiverTable.sortKey,
      timeToLive: receiverTable.timeToLive,
    });
    this.receiver = new ServiceFunction(this, 'Receiver', {
      settings,
      name: 'receiver',
      description: 'A simulated receiver of webhooks',
      timeout: Duration.seconds(60),
      memorySizeMiB: 512,
      environment: {
        RECEIVER_TABLE: this.receipts.tableName,
        // The function URL is public. On AWS only principals who may invoke the function can configure it.
        RECEIVER_CONTROL: settings.emulated ? 'open' : 'iam',
      } satisfies ReceiverEnv,
    });
    this.receiver.allowTable(
      this.receipts,
      'GetItem',
      'PutItem',
      'UpdateItem',
      'Query',
      'DeleteItem',
      'BatchWriteItem',
    );
    this.receiverUrl = this.receiver.addFunctionUrl({ authType: FunctionUrlAuthType.NONE }).url;

    const { bus, busName } = pipeline;
    this.empty = new EmptyPipeline(this, 'Empty', { settings, busName });
    // Its rule refers to the bus by name.
    this.empty.node.addDependency(bus);
  }
}
