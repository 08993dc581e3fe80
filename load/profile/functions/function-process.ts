import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { pathToFileURL } from 'node:url';
import type { FromFunction, ToFunction } from './function-messages.ts';

/**
 * The process of one function, as on Lambda: loads the given bundle, then runs one invocation after another.
 */
const [, , bundle = ''] = process.argv;
const tell = (message: FromFunction) => process.send?.(message);

/** Logs go to the parent process instead of the terminal. */
let written = '';
process.stdout.write = process.stderr.write = ((text: string | Uint8Array) => {
  written += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
  return true;
}) as typeof process.stdout.write;

const session = new Session();
const cpuBefore = process.cpuUsage();
const beganAtMs = performance.now();
const { handler } = (await import(pathToFileURL(bundle).href)) as {
  handler(event: unknown, context: object): Promise<unknown>;
};
const loadMs = performance.now() - beganAtMs;
const { user, system } = process.cpuUsage(cpuBefore);
tell({ kind: 'loaded', loadMs, loadCpuMs: (user + system) / 1_000 });

process.on('message', async (message: ToFunction) => {
  switch (message.kind) {
    case 'invoke': {
      written = '';
      try {
        const result = await handler(message.event, {});
        tell({ kind: 'answered', result, log: written });
      } catch (error) {
        tell({ kind: 'failed', reason: String((error as Error).stack) });
      }
      break;
    }
    case 'profile':
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: message.eachMicroseconds });
      await session.post('Profiler.start');
      tell({ kind: 'profiling' });
      break;
    case 'write profile': {
      const { profile } = await session.post('Profiler.stop');
      writeFileSync(message.file, JSON.stringify(profile));
      tell({ kind: 'profiled' });
      break;
    }
  }
});
