import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { LOCAL_DIRECTORY, PROJECT } from '../../../../lib/project-paths.ts';
import { ensureVenv } from '../../../../local/python/venv.ts';
import { runLogged } from '../../../../local/run-logged.ts';
import { ensureLibraries, findJava } from '../../../support/java/java.ts';

/** A copy, so that no packages lie between the pages. */
export const EXAMPLES = path.join(LOCAL_DIRECTORY, 'frameworks');

/** A command that serves an example. */
export type Command = readonly [file: string, ...args: string[]];

/** What the examples and their frameworks need of the environment; Next.js calls home unless told not to. */
export const SETTINGS = {
  PATH: process.env.PATH,
  PYTHONDONTWRITEBYTECODE: '1',
  NEXT_TELEMETRY_DISABLED: '1',
} as const;

const inNode = (file: string) => async (): Promise<Command> => [process.execPath, file];
const inPython = (app: string) => async (): Promise<Command> => [
  await ensureVenv({
    name: 'frameworks-venv',
    requirements: path.join(PROJECT, 'test/support/python/requirements-frameworks.txt'),
    log: () => {},
  }),
  'serve.py',
  app,
];
async function inNext(temporary: string): Promise<Command> {
  const next = [process.execPath, path.join(EXAMPLES, 'node_modules/next/dist/bin/next')] as const;
  const [file, program] = next;
  await runLogged({
    ...{ file, args: [program, 'build', 'next'], cwd: EXAMPLES },
    env: { ...process.env, ...SETTINGS },
    logFile: path.join(temporary, 'next.log'),
  });
  return [...next, 'start', 'next', '--hostname', '127.0.0.1', '--port', '0'];
}
async function inGo(temporary: string): Promise<Command> {
  const program = path.join(temporary, 'nethttp');
  const build = { file: 'go', args: ['build', '-o', program, 'nethttp.go'], cwd: EXAMPLES };
  await runLogged({ ...build, env: process.env, logFile: path.join(temporary, 'go.log') });
  return [program];
}
async function inSpring(temporary: string): Promise<Command> {
  const libraries = await ensureLibraries({
    source: path.join(PROJECT, 'test/support/java/spring-boot'),
    directory: path.join(LOCAL_DIRECTORY, 'spring-boot'),
    log: () => {},
  });
  const onClassPath = ['-cp', `${temporary}:${libraries}/*`];
  const sources = [path.join(PROJECT, 'docs/examples/verify/Verify.java'), 'SpringReceiver.java'];
  await runLogged({
    file: `${javaProgram}c`,
    args: [...onClassPath, '-d', temporary, ...sources],
    cwd: EXAMPLES,
    env: process.env,
    logFile: path.join(temporary, 'javac.log'),
  });
  return [javaProgram, '-XX:TieredStopAtLevel=1', ...onClassPath, 'SpringReceiver'];
}
const isHere = (...command: Command) => spawnSync(command[0], command.slice(1)).status === 0;
const java = findJava(process.env);
const javaProgram = typeof java === 'string' ? '' : java.program;

export interface Framework {
  readonly name: string;
  /** Makes the command, with a folder for what it compiles. */
  readonly command: (temporary: string) => Promise<Command>;
  /** Of the route. */
  readonly path: string;
  /** Why it cannot be tested here. */
  readonly missing?: string | undefined;
}

const missing = (file: string, version: string) =>
  isHere(file, version) ? undefined : `there is no ${file}`;
const [python, go, php, sinatra] = [
  missing('python3', '--version'),
  missing('go', 'version'),
  missing('php', '--version'),
  isHere('ruby', '-e', 'require "sinatra/base"') ? undefined : 'there is no Ruby with Sinatra',
];

export const FRAMEWORKS: readonly Framework[] = [
  { name: 'Express', command: inNode('express.mjs'), path: '/' },
  { name: 'Fastify', command: inNode('fastify.mjs'), path: '/' },
  { name: 'Hono', command: inNode('hono.mjs'), path: '/' },
  { name: 'Next.js', command: inNext, path: '/webhooks' },
  { name: 'Flask', command: inPython('flask_app'), path: '/', missing: python },
  { name: 'FastAPI', command: inPython('fastapi_app'), path: '/', missing: python },
  { name: 'Django', command: inPython('django_app'), path: '/', missing: python },
  { name: 'net/http of Go', command: inGo, path: '/', missing: go },
  { name: 'PHP', command: async () => ['php', '-S', '127.0.0.1:0', 'receive.php'], path: '/', missing: php },
  { name: 'Sinatra', command: async () => ['ruby', 'sinatra_app.rb'], path: '/', missing: sinatra },
  {
    name: 'Spring Boot',
    command: inSpring,
    path: '/',
    missing: typeof java === 'string' ? java : undefined,
  },
];

for (const { name, missing: reason } of FRAMEWORKS) {
  if (reason !== undefined) {
    process.stderr.write(`Skips ${name}: ${reason}.\n`);
  }
}
