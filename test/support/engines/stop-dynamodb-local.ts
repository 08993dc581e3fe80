import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { OnDynamoDbLocal } from './start-on-dynamodb-local.ts';

export default async function stopDynamoDbLocal(): Promise<void> {
  const { onDynamoDbLocal: running } = globalThis as { onDynamoDbLocal?: OnDynamoDbLocal };
  if (running !== undefined) {
    await running.stack.stop();
    await running.engine.stop();
    if (process.env.PAYHOOKS_KEEP_LOGS === undefined) {
      await rm(path.dirname(running.stack.outputsFile), { recursive: true, force: true });
    }
  }
}
