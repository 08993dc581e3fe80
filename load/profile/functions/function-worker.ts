import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { nextMessage } from '../stand-ins/next-message.ts';
import type { FromFunction, ToFunction } from './function-messages.ts';

interface Invocation {
  readonly result: unknown;
  /** Logged lines. */
  readonly log: readonly string[];
}

/** A function in its own process, started as cold as on Lambda. One invocation at a time. */
export interface FunctionWorker {
  /** Time to read, compile and run the bundle. */
  readonly load: { readonly loadMs: number; readonly loadCpuMs: number };
  /** @throws when the handler does */
  invoke(event: unknown): Promise<Invocation>;
  startProfile(eachMicroseconds: number): Promise<void>;
  writeProfile(file: string): Promise<void>;
  stop(): void;
}

/** @param env its whole environment, as on Lambda: nothing of ours */
export async function startFunction(
  bundle: string,
  env: Readonly<Record<string, string>>,
): Promise<FunctionWorker> {
  const child = fork(join(import.meta.dirname, 'function-process.ts'), [bundle], {
    env: { ...env },
    // Hides a deprecation warning about a function that the SDK uses.
    execArgv: ['--no-deprecation'],
  });
  const load = await received(child, 'loaded');
  const request = async <Kind extends FromFunction['kind']>(message: ToFunction, kind: Kind) => {
    child.send(message);
    return received(child, kind);
  };
  return {
    load,
    async invoke(event) {
      const { result, log } = await request({ kind: 'invoke', event }, 'answered');
      return { result, log: log.split('\n').filter((line) => line !== '') };
    },
    async startProfile(eachMicroseconds) {
      await request({ kind: 'profile', eachMicroseconds }, 'profiling');
    },
    async writeProfile(file) {
      await request({ kind: 'write profile', file }, 'profiled');
    },
    stop: () => void child.kill(),
  };
}

async function received<Kind extends FromFunction['kind']>(child: ChildProcess, kind: Kind) {
  const message = await nextMessage<FromFunction>(child);
  if (message.kind === 'failed') {
    throw new Error(`the function failed: ${message.reason}`);
  }
  if (message.kind !== kind) {
    throw new Error(`the process of the function sent ${message.kind} instead of ${kind}`);
  }
  return message as Extract<FromFunction, { kind: Kind }>;
}
