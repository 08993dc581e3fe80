import { fork } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '../../../cli/terminal/explanation.ts';
import type { FromGenerator, GeneratorTask, ToGenerator } from '../../artillery/messages.ts';
import type { ArtilleryScript } from './artillery.ts';

const PROCESS = join(import.meta.dirname, '../../artillery/generator-process.ts');
const SHOWN_LINES = 30;

export interface RunningArtillery {
  tell(message: ToGenerator): void;
  /** Resolves at the end of the script. Rejects when Artillery fails or the signal is aborted. */
  readonly ended: Promise<void>;
}

/** Runs a script in Artillery's engine, in a process of its own. Only events leave this machine. */
export async function startArtillery(
  script: ArtilleryScript,
  task: GeneratorTask,
  given: {
    readonly directory: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    /** Called with whatever the generator tells. */
    readonly take: (message: FromGenerator) => void;
  },
): Promise<RunningArtillery> {
  const { directory, environment, signal, take } = given;
  signal.throwIfAborted();
  const logFile = join(directory, 'artillery.log');
  const log = await open(logFile, 'a');
  const child = fork(PROCESS, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const ended = new Promise<void>((resolve, reject) => {
    let isDone = false;
    child.on('message', (message: FromGenerator) => {
      isDone ||= message.kind === 'done';
      take(message);
    });
    child.once('error', reject);
    child.once('close', async (code, killedBy) => {
      signal.removeEventListener('abort', kill);
      await log.close();
      if (isDone) return resolve();
      if (signal.aborted) return reject(signal.reason);
      const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-SHOWN_LINES);
      reject(new ExplainedError([`Artillery ended with ${code ?? killedBy}:`, ...lines, logFile].join('\n')));
    });
  });
  const tell = (message: ToGenerator) => {
    if (child.connected) child.send(message);
  };
  tell({ kind: 'run', script, task });
  return { tell, ended };
}
