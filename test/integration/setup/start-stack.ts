import path from 'node:path';
import { type LocalStack, startLocalStack } from '../../../local/local-stack.ts';

const shared = globalThis as { payhooksStack?: LocalStack };

/**
 * Starts a new emulator on a free port and deploys all stacks to it, for these tests only. The projects of
 * one run share it.
 */
export default async function startStack(): Promise<void> {
  if (shared.payhooksStack !== undefined) {
    return;
  }
  const directory = path.resolve(import.meta.dirname, '../../../.local', `test-${process.pid}`);
  const stack = await startLocalStack({
    port: 0,
    directory,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  shared.payhooksStack = stack;
  process.env.PAYHOOKS_TEST_OUTPUTS = stack.outputsFile;
}
