import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findJava } from '../../../../local/java/java.ts';
import { ensureLibraries } from '../../../../local/java/libraries.ts';
import { LOCAL_DIRECTORY, PROJECT } from '../../../../local/project-paths.ts';
import { ensureVenv } from '../../../../local/python/venv.ts';
import { runLogged } from '../../../../local/run-logged.ts';

/** A copy, so that no packages lie between the pages. */
export const EXAMPLES = path.join(LOCAL_DIRECTORY, 'frameworks');

/** A command that serves an example. */
export type Command = readonly [file: string, ...args: string[]];

const inNode = (file: string) => async (): Promise<Command> => [process.execPath, file];
const inPython = (app: string) => async (): Promise<Command> => [
  await ensureVenv({
    name: 'frameworks-venv',
    requirements: path.join(PROJECT, 'local/python/requirements-frameworks.txt'),
    log: () => {},
  }),
  'serve.py',
  app,
];
async function inGo(temporary: string): Promise<Command> {
  const program = path.join(temporary, 'nethttp');
  const build = { file: 'go', args: ['build', '-o', program, 'nethttp.go'], cwd: EXAMPLES };
  await runLogged({ ...build, env: process.env, logFile: path.join(temporary, 'go.log') });
  return [program];
}
async function inSpring(temporary: string): Promise<Command> {
  const libraries = await ensureLibraries({
    source: path.join(PROJECT, 'local/java/spring-boot'),
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
const hasPython = isHere('python3', '--version');
const java = findJava(process.env);
const hasJava = typeof java !== 'string';
const javaProgram = hasJava ? java.program : '';
if (!hasJava) {
  process.stderr.write(`Skips Spring Boot: ${java}.\n`);
}

/** Name, what makes the command, with a folder for what it compiles, and whether its runtime is here. */
export const FRAMEWORKS = [
  ['Express', inNode('express.mjs'), true],
  ['Fastify', inNode('fastify.mjs'), true],
  ['Hono', inNode('hono.mjs'), true],
  ['a route handler of Next.js', inNode('next.mjs'), true],
  ['Flask', inPython('flask_app'), hasPython],
  ['FastAPI', inPython('fastapi_app'), hasPython],
  ['Django', inPython('django_app'), hasPython],
  ['net/http of Go', inGo, isHere('go', 'version')],
  ['Spring Boot', inSpring, hasJava],
] as const;
