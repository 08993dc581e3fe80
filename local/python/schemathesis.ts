import { join } from 'node:path';
import { LOCAL_DIRECTORY } from '../project-paths.ts';
import { CommandFailedError, runLogged } from '../run-logged.ts';
import { ensureVenv } from './venv.ts';

/**
 * Runs the pinned schemathesis, installing it first where it is not.
 *
 * @param args as on its command line: https://schemathesis.readthedocs.io/en/stable/reference/cli/
 * @param logFile all that it says is appended here
 * @returns whether it had nothing to find fault with
 * @throws when it could not be installed or started
 */
export async function schemathesis(args: readonly string[], logFile: string): Promise<boolean> {
  const python = await ensureVenv({
    name: 'schemathesis-venv',
    requirements: join(import.meta.dirname, 'requirements-schemathesis.txt'),
    log: (line) => process.stderr.write(`${line}\n`),
  });
  try {
    await runLogged({
      file: python,
      args: ['-m', 'schemathesis.cli', ...args],
      // It keeps a folder of what it has seen where it is started.
      cwd: LOCAL_DIRECTORY,
      // No hooks and no configuration but what it is given, and nothing is said to anybody but the API.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', PYTHONHASHSEED: '0' },
      logFile,
    });
    return true;
  } catch (error) {
    if (error instanceof CommandFailedError) {
      return false;
    }
    throw error;
  }
}
