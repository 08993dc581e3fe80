import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../../../lib/project-paths.ts';
import { findPython } from '../../../local/python/python.ts';
import { ensureVenv } from '../../../local/python/venv.ts';

const FOLDER = join(PROJECT, 'local', 'emulator');

/** What a script prints that may import the corrections of the emulator. */
export async function pythonSays(script: string, ...args: string[]): Promise<string> {
  const { path } = await findPython(process.env);
  return saidBy(path, [script, ...args], 20_000);
}

/** What a script prints that may import the emulator, too. */
export async function emulatorSays(
  [script, ...args]: readonly [string, ...string[]],
  patienceMs = 30_000,
): Promise<string> {
  const python = await ensureVenv({
    name: 'venv',
    requirements: join(FOLDER, 'requirements.txt'),
    log: () => {},
  });
  return saidBy(python, [script, ...args], patienceMs);
}

async function saidBy(python: string, script: readonly string[], timeout: number): Promise<string> {
  const own = { PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0' };
  const env = { ...process.env, ...own };
  const { stdout } = await promisify(execFile)(python, ['-c', ...script], { env, timeout });
  return stdout;
}
