import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { explain, runLogged } from '../../../local/run-logged.ts';
import { removeScratch, scratch } from './scratch.ts';

afterEach(removeScratch);

async function shell(script: string, extra: { signal?: AbortSignal; onLine?: (line: string) => void } = {}) {
  const logFile = join(await scratch(), 'log');
  const run = runLogged({ file: 'sh', args: ['-c', script], env: process.env, logFile, ...extra });
  return { run, logFile };
}

test('both output streams go to the log and to the listener, line by line', async () => {
  const heard: string[] = [];
  const { run, logFile } = await shell('echo one; sleep 0.05; echo two >&2', {
    onLine: (line) => heard.push(line),
  });
  await run;
  expect(heard).toEqual(['one', 'two']);
  expect(await readFile(logFile, 'utf8')).toBe('one\ntwo\n');
});

test('a failure is explained with the last 30 lines and the log file', async () => {
  const { run, logFile } = await shell('i=1; while [ $i -le 40 ]; do echo line $i; i=$((i+1)); done; exit 3');
  const error = await run.catch((error: unknown) => explain(error, 'It did not work.') as Error);
  const lines = (error as Error).message.split('\n');
  expect(lines[0]).toBe('It did not work.');
  expect(lines.slice(1, 31)).toEqual(Array.from({ length: 30 }, (_, index) => `  line ${index + 11}`));
  expect(lines.at(-2)).toMatch(/ended with 3\)$/);
  expect(lines.at(-1)).toBe(`All of it: ${logFile}`);
});

test('an unknown command is a failure too', async () => {
  const logFile = join(await scratch(), 'log');
  await expect(runLogged({ file: 'no-such-command', args: [], env: process.env, logFile })).rejects.toThrow(
    'no-such-command: spawn no-such-command ENOENT',
  );
});

test('an abort kills the command and its descendants, and rejects with its reason', async () => {
  const abort = new AbortController();
  const pids: number[] = [];
  const { run } = await shell('sleep 600 & echo $!; wait', {
    signal: abort.signal,
    onLine: (line) => {
      pids.push(Number(line));
      abort.abort(new Error('enough'));
    },
  });
  await expect(run).rejects.toThrow('enough');
  // The streams have closed, so no process holds them: the grandchild has exited or is about to.
  expect(pids).toHaveLength(1);
});
