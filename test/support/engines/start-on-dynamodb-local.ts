import path from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { type LocalStack, startLocalStack } from '../../../local/local-stack.ts';
import { type Engine, javaFor, startEngine } from '../java/engine.ts';

export interface OnDynamoDbLocal {
  readonly engine: Engine;
  readonly stack: LocalStack;
}

/**
 * Starts an emulator whose tables are in DynamoDB Local, and deploys all stacks to it. Where it cannot run,
 * the tests are skipped.
 */
export default async function startOnDynamoDbLocal(): Promise<void> {
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const java = javaFor('dynamodb-local', process);
  if (typeof java === 'string') {
    log(`Skips the tests of the deployed stack on DynamoDB Local: ${java}.`);
    return;
  }
  const engine = await startEngine('dynamodb-local', { java, log });
  try {
    const directory = path.resolve(import.meta.dirname, '../../../.local', `engines-${process.pid}`);
    const adapter = path.resolve(import.meta.dirname, '../java/dynamodb-local/elsewhere.py');
    const tables = { endpoint: engine.endpoint, adapter };
    const stack = await startLocalStack({ port: 0, directory, tables, log });
    await mustBeThere(engine, stack);
    Object.assign(globalThis, { onDynamoDbLocal: { engine, stack } satisfies OnDynamoDbLocal });
    process.env.PAYHOOKS_ENGINE_OUTPUTS = stack.outputsFile;
    process.env.PAYHOOKS_ENGINE_PID = String(engine.pid);
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

/** The token that every stack begins with: otherwise these tests would test the emulator again. */
async function mustBeThere({ endpoint }: Engine, { outputs, stop }: LocalStack): Promise<void> {
  const client = new DynamoDBClient(clientConfig(endpoint));
  const { Count } = await client.send(new ScanCommand({ TableName: outputs.tables.apiTokens }));
  client.destroy();
  if (Count !== 1) {
    await stop();
    throw new Error(`DynamoDB Local has ${Count} tokens of the deployed stack, instead of one`);
  }
}
