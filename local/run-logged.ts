import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { ExplainedError } from '../cli/terminal/explanation.ts';

export interface LoggedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Receives all output, appended. */
  readonly logFile: string;
  /** Called with each line of both streams. */
  readonly onLine?: (line: string) => void;
  /** Kills the command and all its descendants. */
  readonly signal?: AbortSignal;
}

/** The command exited with a code other than 0, or could not be started. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
  readonly lastLines: readonly string[];
  readonly logFile: string;

  constructor(command: LoggedCommand, reason: string, lastLines: readonly string[]) {
    super(`${[command.file, ...command.args].join(' ')}: ${reason}`);
    this.lastLines = lastLines;
    this.logFile = command.logFile;
  }
}

/**
 * Adds a sentence for people, the last lines and the log file to a command's failure. Returns any other error
 * unchanged.
 */
export function explain(error: unknown, sentence: string): unknown {
  if (!(error instanceof CommandFailedError)) {
    return error;
  }
  const lines = error.lastLines.map((line) => `  ${line}`);
  return new ExplainedError(
    [sentence, ...lines, `  (${error.message})`, `All of it: ${error.logFile}`].join('\n'),
  );
}

const KEPT_LINES = 30;

/**
 * Runs a command to its end, in its own process group.
 *
 * @throws CommandFailedError with the last 30 lines; the signal's reason if it was aborted
 */
export async function runLogged(command: LoggedCommand): Promise<void> {
  command.signal?.throwIfAborted();
  const log = createWriteStream(command.logFile, { flags: 'a' });
  const lastLines: string[] = [];
  const child = spawn(command.file, command.args, {
    env: command.env,
    cwd: command.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const kill = () => killGroup(child.pid);
  command.signal?.addEventListener('abort', kill, { once: true });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`);
      lastLines.push(line);
      lastLines.splice(0, lastLines.length - KEPT_LINES);
      command.onLine?.(line);
    });
  }
  try {
    const reason = await new Promise<string | undefined>((resolve) => {
      child.once('error', ({ message }) => resolve(message));
      child.once('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${code ?? signal}`));
    });
    command.signal?.throwIfAborted();
    if (reason !== undefined) {
      throw new CommandFailedError(command, reason, lastLines);
    }
  } finally {
    command.signal?.removeEventListener('abort', kill);
    log.end();
    await finished(log);
  }
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) {
      process.kill(-leader, 'SIGKILL');
    }
  } catch {
    // It has already ended.
  }
}
