import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ExplainedError } from '../../../cli/terminal/explanation.ts';
import { LOCAL_DIRECTORY } from '../../../lib/project-paths.ts';
import { ensureLibraries, findJava, type Java } from './java.ts';

/** An engine other than the emulator, on 127.0.0.1 only. */
export interface Engine {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  readonly pid: number;
  /** Ends the engine and waits for that. Idempotent. */
  stop(): Promise<void>;
}

/** Amazon's own, for DynamoDB; and another implementation of SQS. */
const ENGINES = {
  'dynamodb-local': 'DynamoDbLocal.java',
  elasticmq: 'ElasticMq.java',
} as const;

export type EngineName = keyof typeof ENGINES;

const READY_WITHIN_MS = 60_000;
const KEPT_LINES = 20;

/** What an engine runs with, or why it cannot run here: DynamoDB Local brings SQLite for x86-64 only. */
export function javaFor(
  name: EngineName,
  { env, arch }: { readonly env: NodeJS.ProcessEnv; readonly arch: string },
): Java | string {
  return name === 'dynamodb-local' && arch !== 'x64'
    ? `DynamoDB Local has no SQLite for ${arch}`
    : findJava(env);
}

/**
 * Starts an engine on a free port. It ends with this process, whatever ends that: it watches its stdin.
 *
 * @throws ExplainedError if its libraries cannot be fetched, or it does not start
 */
export async function startEngine(
  name: EngineName,
  { java, log }: { readonly java: Java; readonly log: (line: string) => void },
): Promise<Engine> {
  const source = join(import.meta.dirname, name);
  const libraries = await ensureLibraries({ source, directory: join(LOCAL_DIRECTORY, name), log });
  const child = spawn(java.program, [...OPTIONS, ...pathsTo(libraries), join(source, ENGINES[name])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing from the user's environment: no credentials, no options of other Java programs.
    env: { PATH: process.env.PATH, TZ: 'UTC', LANG: 'C.UTF-8' },
    // Ctrl-C is for us.
    detached: true,
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const lines: string[] = [];
  const port = new Promise<number>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        lines.splice(0, lines.length - KEPT_LINES);
        const found = /^listening on (\d+)$/.exec(line)?.[1];
        if (found !== undefined) {
          resolve(Number(found));
        }
      });
    }
  });
  const late = AbortSignal.timeout(READY_WITHIN_MS);
  const started = await Promise.race([port, ended, once(late, 'abort').then(() => undefined)]);
  if (started === undefined || child.pid === undefined) {
    child.kill('SIGKILL');
    throw new ExplainedError([`${name} did not start:`, ...lines.map((line) => `  ${line}`)].join('\n'));
  }
  return {
    endpoint: `http://127.0.0.1:${started}`,
    pid: child.pid,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * It lives for minutes: the first compiler is enough, and half a gigabyte. It can resolve no name, so that it
 * reports its use to nobody.
 */
export const OPTIONS = [
  ...['-XX:TieredStopAtLevel=1', '-Xmx512m', '-Djava.net.preferIPv4Stack=true'],
  `-Djdk.net.hosts.file=${join(import.meta.dirname, 'no-hosts')}`,
];

function pathsTo(libraries: string): string[] {
  return [`-Djava.library.path=${libraries}`, '-cp', join(libraries, '*')];
}
