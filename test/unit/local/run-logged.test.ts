import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path, { join } from 'node:path';
import { lockDirectory } from '../../../local/directory-lock.ts';
import { freePort } from '../../../local/port.ts';
import { explain, runLogged } from '../../../local/run-logged.ts';
import { removeScratch, scratch } from './scratch.ts';

describe('run logged', () => {
  afterEach(removeScratch);

  async function shell(
    script: string,
    extra: { signal?: AbortSignal; onLine?: (line: string) => void } = {},
  ) {
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
    const { run, logFile } = await shell(
      'i=1; while [ $i -le 40 ]; do echo line $i; i=$((i+1)); done; exit 3',
    );
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
});

describe('interruption', () => {
  const MODULE = path.resolve(import.meta.dirname, '../../../local/interruption.ts');

  /** Prints when it is interrupted. A shell runs between it and us, as with npm. */
  function startBehindShell(env: Record<string, string>) {
    const program = `import { interruption } from ${JSON.stringify(MODULE)};
    const stay = setInterval(() => {}, 1_000);
    const signal = interruption((line) => console.log(line));
    signal.addEventListener('abort', () => { console.log(signal.reason.message); clearInterval(stay); });
    console.log('up');`;
    return spawn('sh', ['-c', `"${process.execPath}" --input-type=module --eval "$PROGRAM"; true`], {
      env: { PATH: process.env.PATH ?? '', PROGRAM: program, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  test('a program that npm started ends when npm has ended, even without a signal', async () => {
    const shell = startBehindShell({ npm_lifecycle_event: 'local' });
    const lines: string[] = [];
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter(Boolean));
      if (text.includes('up')) {
        shell.kill('SIGKILL');
      }
    });
    await once(shell.stdout, 'close');
    expect(lines).toEqual(['up', 'Stopping', 'the end of npm']);
  });
});

describe('port', () => {
  test('a taken port is named, with how to choose another', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    await expect(freePort(port)).rejects.toThrow(
      `Port ${port} is taken, perhaps by a local stack that already runs. Choose another with --port, for example --port ${port + 1}.`,
    );
    holder.close();
  });

  test('0 finds a free port', async () => {
    const port = await freePort(0);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    expect(port).toBeGreaterThan(1023);
  });
});

describe('directory lock', () => {
  const LOCK = join(import.meta.dirname, '../../../local/directory-lock.ts');

  afterEach(removeScratch);

  test('a second stack in the same directory is refused', async () => {
    const directory = await scratch();
    const unlock = lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(
      `A local stack is already running in ${directory}. Stop that one first.`,
    );
    unlock();
  });

  test('a released directory can be locked again', async () => {
    const directory = await scratch();
    lockDirectory(directory)();
    lockDirectory(directory)();
  });

  test('the lock of another process is kept while it lives, and taken over once it is dead', async () => {
    const directory = await scratch();
    // The owner keeps nothing, and collects what nobody refers to.
    const script = `(await import(${JSON.stringify(LOCK)})).lockDirectory(${JSON.stringify(directory)}); setImmediate(() => { gc(); console.log('locked'); }); setInterval(() => {}, 1000)`;
    const owner = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(owner, 'exit');
    try {
      await once(owner.stdout, 'data');
      expect(() => lockDirectory(directory)).toThrow('already running');
    } finally {
      owner.kill('SIGKILL');
      await ended;
    }
    lockDirectory(directory)();
  });
});
