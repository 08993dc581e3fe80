import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_DIRECTORY } from './project-paths.ts';
import { findPython } from './python.ts';
import { explain, runLogged } from './run-logged.ts';

interface Environment {
  /** The folder's name below the directory. */
  readonly name: string;
  /** A requirements file in which every package carries its hashes. */
  readonly requirements: string;
  /** @default `.local` */
  readonly directory?: string;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * A virtual environment with exactly the packages of a requirements file; answers the path of its Python. What is there and was made from the
 * same file by the same Python is used as it is.
 *
 * @throws ExplainedError when there is no Python for it, or when the packages could not be fetched
 */
export async function ensureVenv(environment: Environment): Promise<string> {
  const directory = environment.directory ?? LOCAL_DIRECTORY;
  const venv = join(directory, environment.name);
  const marker = join(venv, 'made-from');
  const python = await findPython(process.env);
  const wanted = `${await digest(environment.requirements)} python ${python.version}\n`;
  const inVenv = join(venv, 'bin', 'python');
  if ((await readFile(marker, 'utf8').catch(() => undefined)) === wanted) {
    return inVenv;
  }
  environment.log(`Installing ${environment.requirements} (once, with Python ${python.version})`);
  await rm(venv, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const logFile = join(directory, `${environment.name}.log`);
  await rm(logFile, { force: true });
  const run = (file: string, args: readonly string[]) =>
    runLogged({ file, args, env: process.env, logFile, signal: environment.signal });
  try {
    await run(python.path, ['-m', 'venv', venv]);
  } catch (error) {
    throw explain(
      error,
      'No virtual environment could be made. On Debian and Ubuntu: sudo apt install python3-venv',
    );
  }
  try {
    await run(inVenv, [...INSTALL, '-r', environment.requirements]);
  } catch (error) {
    throw explain(
      error,
      'The packages could not be installed. It takes a connection to PyPI, or a mirror named by PIP_INDEX_URL.',
    );
  }
  await writeFile(marker, wanted);
  return inVenv;
}

/** Only ready-made packages: none runs code of its own while it is installed. */
const INSTALL = [
  ...['-m', 'pip', 'install', '--require-hashes', '--only-binary=:all:', '--no-compile'],
  ...['--no-input', '--disable-pip-version-check'],
];

async function digest(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
