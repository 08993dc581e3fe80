import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ExplainedError } from '../../cli/terminal/explained-error.ts';

const run = promisify(execFile);

/** Tried in this order: what the person has chosen comes first. */
const CANDIDATES = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'] as const;

/** The emulator's own minimum. */
const OLDEST_MINOR = 10;

export interface Python {
  readonly path: string;
  /** Such as `3.11.7`. */
  readonly version: string;
}

/**
 * The first Python in PATH that the emulator runs on.
 *
 * @throws ExplainedError when there is none, naming those that were found
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
    // Not there, or a shim without a Python behind it.
    return undefined;
  }
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 3 && minor >= OLDEST_MINOR;
}
