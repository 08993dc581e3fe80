import os from 'node:os';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { accountEnvironment, clientConfig } from '../../cli/stage/local-account.ts';
import { type LocalOutputs, labOf, readOutputs } from '../../cli/stage/local-outputs.ts';
import { apiTokenTable } from '../../functions/adapters/dynamodb/api/api-token-table.ts';
import { control } from '../../functions/load-lab/receiver/control.ts';
import { memoryStore } from '../../functions/load-lab/receiver/store/memory-store.ts';
import { InterruptedError, interruption } from '../../local/interruption.ts';
import { startReceiverServer } from '../../local/receiver-server.ts';
import { runMeter } from '../cost/cost-of-run.ts';
import { writeReport } from '../report/report.ts';
import { EXIT_CODES } from '../results/outcome.ts';
import { loadCommand } from './plan/load-command.ts';
import { runCell } from './plan/run-cell.ts';
import { deployedLab } from './stage/deployed-lab.ts';
import type { LabStage } from './stage/lab-stage.ts';
import { receiverControl } from './stage/receiver-control.ts';

/** Runs a scenario, and sets the exit code: by outcome, or 130 after an interruption. */
export async function runLoad(args: string[]): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const signal = interruption(() => say('Stopping: writing the results so far and removing the partners'));
  try {
    const result = await loadCommand(args, {
      stage: async (name) => (name === 'local' ? localLab(await readOutputs()) : deployedLab(name)),
      signal,
      runCell,
      report: writeReport,
      meter: runMeter,
      print: (text) => process.stdout.write(text),
      say,
    });
    const outcome = result?.outcome ?? 'passed';
    // What has failed by then says so.
    process.exitCode = result?.is_interrupted && outcome !== 'failed' ? 130 : EXIT_CODES[outcome];
  } catch (error) {
    if (!(signal.reason instanceof InterruptedError) || error !== signal.reason) throw error;
    process.exitCode = 130;
  }
}

/**
 * The running local stack. Its receiver runs in this process: as a function of the emulator, it would measure
 * the emulator.
 */
async function localLab(outputs: LocalOutputs): Promise<LabStage> {
  const config = clientConfig(outputs.endpoint);
  const store = memoryStore();
  const server = await startReceiverServer({ port: 0, store });
  const { events, deliveries } = outputs.queues;
  return {
    name: 'local',
    apiUrl: outputs.apiUrl,
    busName: outputs.busName,
    tokens: apiTokenTable(new DynamoDBClient(config), outputs.tables.apiTokens),
    receiver: receiverControl(server.url, (request) => control(request, store)),
    queues: { events, deliveries },
    history: { client: new DynamoDBClient(config), table: outputs.tables.history },
    slowStoreUrl: outputs.slowStoreUrl,
    emptySink: { logs: new CloudWatchLogsClient(config), logGroup: labOf(outputs).emptySinkLogGroup },
    sqs: new SQSClient(config),
    events: new EventBridgeClient(config),
    environment: accountEnvironment(outputs.endpoint),
    machine: `${os.cpus().length} cores of ${os.cpus()[0]?.model ?? 'an unknown kind'}, emulator included, Node ${process.version}`,
    close: () => server.stop(),
  };
}
