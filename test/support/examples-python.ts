import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { LOCAL_DIRECTORY } from '../../lib/project-paths.ts';
import { ensureVenv } from '../../local/python/venv.ts';

const REQUIREMENTS = path.resolve(import.meta.dirname, 'python/requirements-examples.txt');

export const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A Python with the packages that the documentation's examples import. */
export function examplesPython(): Promise<string> {
  return ensureVenv({
    name: 'examples-venv',
    requirements: REQUIREMENTS,
    directory: LOCAL_DIRECTORY,
    log: () => {},
  });
}
