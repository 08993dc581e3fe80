import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LOCAL_ACCOUNT } from '../../cli/stage/local-account.ts';
import { ExplainedError } from '../../cli/terminal/explanation.ts';
import { PROJECT, searchPath } from '../../lib/project-paths.ts';
import { freePort } from '../port.ts';
import { ensureVenv } from '../python/venv.ts';
import { SMALL_HEAPS, sideBySideIn } from './function-processes.ts';

export interface Emulator {
  /** `http://localhost:<port>`, on 127.0.0.1 only. */
  readonly endpoint: string;
  /** Resolves when the emulator has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the emulator with all its workers, and waits for them. Idempotent. */
  stop(): Promise<void>;
}

export interface EmulatorOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Added to the emulator's own variables. Functions see it, too. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Receives the output of the emulator and its functions. */
  readonly logFile: string;
  /** Gives each invocation its own process, as Lambda does. @default false */
  readonly separateProcesses?: boolean;
  /** Paths to remove when the emulator ends, even if this process was killed. */
  readonly removeAtEnd?: readonly string[];
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

const READY_WITHIN_MS = 60_000;

/**
 * Starts the emulator and waits until it answers.
 *
 * @throws ExplainedError if the port is taken, Python or its packages are missing, or the emulator ends while
 * starting
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  // Reports a taken port at once. Checked again below, as installing packages may take a minute.
  await freePort(options.port);
  const python = await ensureVenv({
    name: 'venv',
    requirements: join(PROJECT, 'local/emulator/requirements.txt'),
    log: options.log,
    signal: options.signal,
  });
  options.signal?.throwIfAborted();
  // Outside the project, so that functions find neither its packages nor its package.json.
  const temporary = await mkdtemp(join(tmpdir(), 'payhooks-'));
  const { launcher, ended, port } = await launch({ ...options, python, temporary }).catch(async (error) => {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  });
  const endpoint = `http://localhost:${port}`;
  const emulator: Emulator = {
    endpoint,
    ended,
    async stop() {
      // The launcher ends everything once this pipe is closed.
      launcher.stdin?.end();
      await ended;
    },
  };
  try {
    await untilReady(endpoint, launcher, options);
  } catch (error) {
    await emulator.stop();
    throw error;
  }
  return emulator;
}

async function launch(options: EmulatorOptions & { python: string; temporary: string }) {
  const port = await freePort(options.port);
  const sideBySide = options.separateProcesses === true ? {} : sideBySideIn(options.temporary);
  const logFile = await open(options.logFile, 'w');
  const launcher = spawn(
    options.python,
    [join(PROJECT, 'local/emulator/launcher.py'), options.temporary, ...(options.removeAtEnd ?? [])],
    {
      env: {
        ...emulatorEnvironment(port, options.temporary),
        ...sideBySide,
        ...options.environment,
      },
      stdio: ['pipe', logFile.fd, logFile.fd],
      // Outside the terminal's process group: Ctrl-C is for us, and the launcher cleans up even if that group
      // is killed.
      detached: true,
    },
  );
  launcher.stdin?.on('error', () => {});
  // Before the first await, so as not to miss the event.
  const ended = new Promise<void>((resolve) => {
    launcher.once('exit', () => resolve());
  });
  try {
    await once(launcher, 'spawn');
  } catch (error) {
    throw new ExplainedError(`The emulator could not be started: ${(error as Error).message}`);
  } finally {
    await logFile.close();
  }
  return { launcher, ended, port };
}

/** Nothing from the user's environment, because functions inherit this. */
function emulatorEnvironment(port: number, temporary: string): Record<string, string> {
  return {
    PATH: searchPath(process.env),
    HOME: temporary,
    TMPDIR: temporary,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    ...SMALL_HEAPS,
    GATEWAY_PORT: String(port),
    BIND_HOST: '127.0.0.1',
    MINISTACK_ACCOUNT_ID: LOCAL_ACCOUNT.accountId,
    MINISTACK_REGION: LOCAL_ACCOUNT.region,
    AUTH: 'true',
    // AWS's default. The emulator would guess from the machine's memory, and a record beyond that would wait
    // for its visibility timeout.
    LAMBDA_ACCOUNT_CONCURRENCY: '1000',
    // Must match the queue URLs, or the SDK warns at each call.
    AWS_ENDPOINT_URL_SQS: `http://localhost:${port}`,
    // Listeners and containers that we do not need.
    IOT_MTLS_ENABLED: '0',
    SFTP_ENABLED: '0',
    DOCKER_HOST: 'unix:///nowhere',
  };
}

async function untilReady(endpoint: string, launcher: ChildProcess, options: EmulatorOptions): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    options.signal?.throwIfAborted();
    const answer = await fetch(`${endpoint}/_ministack/health`).catch(() => undefined);
    // Checked after the answer: another emulator may have answered on a port that ours found taken.
    if (launcher.exitCode !== null || launcher.signalCode !== null) {
      throw new ExplainedError(
        `The emulator ended while it was starting.\n${await lastLines(options.logFile)}`,
      );
    }
    if (answer?.ok) {
      return;
    }
    await delay(50);
  }
  throw new ExplainedError(
    `The emulator did not answer within ${READY_WITHIN_MS / 1000} s.\n${await lastLines(options.logFile)}`,
  );
}

async function lastLines(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-30);
  return [...lines.map((line) => `  ${line}`), `All of it: ${logFile}`].join('\n');
}
