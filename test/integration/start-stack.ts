import path from 'node:path';
import { type LocalStack, startLocalStack } from '../../local/local-stack.ts';

const held = globalThis as { payhooksStack?: LocalStack };

/** A fresh emulator on a free port, with all stacks deployed to it: for these tests alone, beside whatever else runs. The projects of one run share it. */
export default async function startStack(): Promise<void> {
  if (held.payhooksStack !== undefined) {
    return;
  }
  const directory = path.resolve(import.meta.dirname, '../../.local', `test-${process.pid}`);
  const stack = await startLocalStack({
    port: 0,
    directory,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  held.payhooksStack = stack;
  process.env.PAYHOOKS_TEST_OUTPUTS = stack.outputsFile;
}
