import { join } from 'node:path';
import { LOCAL_DIRECTORY } from '../../../lib/project-paths.ts';
import { ensureVenv } from '../../../local/python/venv.ts';
import { CommandFailedError, runLogged } from '../../../local/run-logged.ts';

/**
 * Runs the pinned schemathesis, and installs it first if needed.
 *
 * @param args as on its command line: https://schemathesis.readthedocs.io/en/stable/reference/cli/
 * @param logFile receives its output, appended
 * @returns whether it found no problem
 * @throws if it could not be installed or started
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
      // It stores what it has tried in its working directory.
      cwd: LOCAL_DIRECTORY,
      // Keeps the user's hooks and configuration out, and calls nothing but the API.
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
