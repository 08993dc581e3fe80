import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { LocalStack } from '../../../local/local-stack.ts';

const shared = globalThis as { payhooksStack?: LocalStack };

export default async function stopStack(): Promise<void> {
  const stack = shared.payhooksStack;
  if (stack !== undefined) {
    delete shared.payhooksStack;
    await stack.stop();
    // PAYHOOKS_KEEP_LOGS keeps the emulator's log, to find out why a test failed.
    if (process.env.PAYHOOKS_KEEP_LOGS === undefined) {
      await rm(path.dirname(stack.outputsFile), { recursive: true, force: true });
    }
  }
}
