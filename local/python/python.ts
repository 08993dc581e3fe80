import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ExplainedError } from '../../cli/terminal/explanation.ts';

const run = promisify(execFile);

/** In order of preference: the user's default comes first. */
const CANDIDATES = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'] as const;

/** The emulator's minimum. */
const OLDEST_MINOR = 10;

export interface Python {
  readonly path: string;
  /** For example `3.11.7`. */
  readonly version: string;
}

/**
 * Finds the first Python in PATH that can run the emulator.
 *
 * @throws ExplainedError listing the unsuitable ones if there is none
 */
export async function findPython(env: NodeJS.ProcessEnv): Promise<Python> {
  const tooOld: string[] = [];
  for (const name of CANDIDATES) {
    const python = await askVersion(name, env);
    if (python === undefined) {
      continue;
    }
    if (isRecent(python.version)) {
      return python;
    }
    tooOld.push(`${name} is ${python.version}`);
  }
  const found = tooOld.length === 0 ? 'none was found in PATH' : `found only: ${tooOld.join(', ')}`;
  throw new ExplainedError(
    `The local stack needs Python 3.${OLDEST_MINOR} or newer; ${found}.\n` +
      'Install it, for example with `sudo apt install python3 python3-venv`, `brew install python` or `pyenv install 3.13`.',
  );
}

async function askVersion(name: string, env: NodeJS.ProcessEnv): Promise<Python | undefined> {
  try {
    const question = 'import platform, sys; print(sys.executable); print(platform.python_version())';
    const { stdout } = await run(name, ['-c', question], { env });
    const [path = '', version = ''] = stdout.trim().split('\n');
    return { path, version };
  } catch {
    // Not installed, or a shim without a Python.
    return undefined;
  }
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 3 && minor >= OLDEST_MINOR;
}
