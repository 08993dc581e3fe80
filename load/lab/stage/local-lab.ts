import os from 'node:os';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { sampleTypes } from '../../../cli/publisher/sample-payments.ts';
import { deployedTypes } from '../../../cli/stage/deployed-types.ts';
import { accountEnvironment, clientConfig } from '../../../cli/stage/local-account.ts';
import { type LocalOutputs, labOf } from '../../../cli/stage/local-outputs.ts';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { control } from '../../../functions/load-lab/receiver/control.ts';
import { memoryStore } from '../../../functions/load-lab/receiver/store/memory-store.ts';
import { startReceiverServer } from '../../../local/receiver-server.ts';
import type { LabStage } from './lab-stage.ts';
import { receiverControl } from './receiver-control.ts';

/**
 * The running local stack. Its receiver runs in this process: as a function of the emulator, it would measure
 * the emulator.
 */
export async function localLab(outputs: LocalOutputs): Promise<LabStage> {
  const config = clientConfig(outputs.endpoint);
  const store = memoryStore();
  const types = sampleTypes(await deployedTypes(outputs.apiUrl));
  const server = await startReceiverServer({ port: 0, store });
  const { events, deliveries } = outputs.queues;
  return {
    name: 'local',
    apiUrl: outputs.apiUrl,
    busName: outputs.busName,
    types,
    tokens: apiTokenTable(new DynamoDBClient(config), outputs.tables.apiTokens),
    receiver: receiverControl(server.url, (request) => control(request, store)),
    queues: { events, deliveries },
    slowStoreUrl: outputs.slowStoreUrl,
    emptySink: { logs: new CloudWatchLogsClient(config), logGroup: labOf(outputs).emptySinkLogGroup },
    sqs: new SQSClient(config),
    events: new EventBridgeClient(config),
    environment: accountEnvironment(outputs.endpoint),
    machine: `${os.cpus().length} cores of ${os.cpus()[0]?.model ?? 'an unknown kind'}, emulator included, Node ${process.version}`,
    close: () => server.stop(),
  };
}
