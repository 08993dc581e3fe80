import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_DIRECTORY } from '../../lib/project-paths.ts';
import { explain, runLogged } from '../run-logged.ts';
import { findPython } from './python.ts';

interface Environment {
  /** Name of the folder in the directory. */
  readonly name: string;
  /** A requirements file with the hashes of every package. */
  readonly requirements: string;
  /** @default `.local` */
  readonly directory?: string;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Makes a virtual environment with exactly the packages of a requirements file, unless the same Python made
 * one from the same file before. Returns the path of its Python.
 *
 * @throws ExplainedError without a suitable Python, or if the packages cannot be fetched
 */
export async function ensureVenv(environment: Environment): Promise<string> {
  const { name, requirements, directory = LOCAL_DIRECTORY, log } = environment;
  const venv = join(directory, name);
  const python = await findPython(process.env);
  const wanted = `${await digest(requirements)} python ${python.version} ${python.path}\n`;
  if ((await madeFrom(venv)) !== wanted) {
    log(`Installing ${requirements} (once, with Python ${python.version})`);
    await mkdir(directory, { recursive: true });
    // Another process may be making the same one. Each makes its own; the first complete one stays.
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

/** Moves the old one away in one step, so that the environment at this path is always complete. */
async function replace(venv: string, made: string): Promise<void> {
  const outdated = `${made}.outdated`;
  await rename(venv, outdated).catch(unless('ENOENT'));
  // Not empty if another process was faster.
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

/** Undefined without a finished environment. */
function madeFrom(venv: string): Promise<string | undefined> {
  return readFile(join(venv, MARKER), 'utf8').catch(() => undefined);
}

/** This file says what the environment was made from. Written last. */
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
      'Could not make a virtual environment. On Debian and Ubuntu: sudo apt install python3-venv',
    );
  }
  try {
    await run(join(venv, 'bin', 'python'), [...INSTALL, '-r', requirements]);
  } catch (error) {
    throw explain(
      error,
      'Could not install the packages. This needs a connection to PyPI, or to a mirror in PIP_INDEX_URL.',
    );
  }
}

/** Binary packages only: they run no code during installation. */
const INSTALL = [
  ...['-m', 'pip', 'install', '--require-hashes', '--only-binary=:all:', '--no-compile'],
  ...['--no-input', '--disable-pip-version-check'],
];

async function digest(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
