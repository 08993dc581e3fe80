import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { nextMessage } from '../stand-ins/next-message.ts';
import type { Answer } from './function-process.ts';

interface Invocation {
  readonly result: unknown;
  /** Logged lines. */
  readonly log: readonly string[];
}

/** A function in its own process, started as cold as on Lambda. One invocation at a time. */
export interface FunctionWorker {
  /** @throws when the handler does */
  invoke(event: unknown): Promise<Invocation>;
  /** Resolves when the process has ended, and has written its CPU profile. */
  stop(): Promise<void>;
}

/**
 * @param env its whole environment, as on Lambda: nothing of ours
 * @param nodeOptions of its process, such as `--cpu-prof`
 */
export async function startFunction(
  bundle: string,
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<FunctionWorker> {
  const child = fork(join(import.meta.dirname, 'function-process.ts'), [bundle], {
    env: { ...env },
    // Hides a deprecation warning about a function that the SDK uses.
    execArgv: ['--no-deprecation', ...nodeOptions],
  });
  const ended = once(child, 'exit');
  await nextMessage<Answer>(child);
  return {
    async invoke(event) {
      child.send(event as object);
      const answer = await nextMessage<Answer>(child);
      if (answer.kind !== 'answered') throw new Error(`the function failed: ${JSON.stringify(answer)}`);
      return { result: answer.result, log: answer.log.split('\n').filter((line) => line !== '') };
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
