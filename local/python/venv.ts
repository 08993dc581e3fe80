import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_DIRECTORY } from '../project-paths.ts';
import { explain, runLogged } from '../run-logged.ts';
import { findPython } from './python.ts';

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
  const { name, requirements, directory = LOCAL_DIRECTORY, log } = environment;
  const venv = join(directory, name);
  const python = await findPython(process.env);
  const wanted = `${await digest(requirements)} python ${python.version} ${python.path}\n`;
  if ((await madeFrom(venv)) !== wanted) {
    log(`Installing ${requirements} (once, with Python ${python.version})`);
    await mkdir(directory, { recursive: true });
    // Another process may be about to make the same: each makes its own, and the first that is whole stays.
    const unfinished = await mkdtemp(`${venv}.`);
    try {
      await install(unfinished, python.path, environment, join(directory, `${name}.log`));
      await writeFile(join(unfinished, MARKER), wanted);
      if ((await madeFrom(venv)) !== wanted) {
        await replace(venv, unfinished);
      }
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  return join(venv, 'bin', 'python');
}

/** Moves what is there out of the way in one step, so that what stands at the place is always whole. */
async function replace(venv: string, made: string): Promise<void> {
  const outdated = `${made}.outdated`;
  await rename(venv, outdated).catch(unless('ENOENT'));
  // Not empty: another process was faster.
  await rename(made, venv).catch(unless('ENOTEMPTY', 'EEXIST'));
  await rm(outdated, { recursive: true, force: true });
}

function unless(...codes: readonly string[]) {
  return (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? '')) {
      throw error;
    }
  };
}

/** Undefined when there is none, or none that was finished. */
function madeFrom(venv: string): Promise<string | undefined> {
  return readFile(join(venv, MARKER), 'utf8').catch(() => undefined);
}

/** Says of what the environment was made; written last. */
const MARKER = 'made-from';

async function install(venv: string, python: string, { requirements, signal }: Environment, logFile: string) {
  await rm(logFile, { force: true });
  const run = (file: string, args: readonly string[]) =>
    runLogged({ file, args, env: process.env, logFile, signal });
  try {
    await run(python, ['-m', 'venv', venv]);
  } catch (error) {
    throw explain(
      error,
      'No virtual environment could be made. On Debian and Ubuntu: sudo apt install python3-venv',
    );
  }
  try {
    await run(join(venv, 'bin', 'python'), [...INSTALL, '-r', requirements]);
  } catch (error) {
    throw explain(
      error,
      'The packages could not be installed. It takes a connection to PyPI, or a mirror named by PIP_INDEX_URL.',
    );
  }
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
