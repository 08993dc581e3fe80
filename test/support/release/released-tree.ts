import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../../../lib/project-paths.ts';

const run = promisify(execFile);
const git = async (...args: string[]) => (await run('git', args, { cwd: PROJECT })).stdout.trim();

/** Writes the files of a commit into a new folder, with its dependencies. */
export async function treeOf(commit: string, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const archive = path.join(directory, '..', `${path.basename(directory)}.tar`);
  await git('archive', '--output', archive, commit);
  await run('tar', ['-xf', archive, '-C', directory]);
  const [own, released] = await Promise.all(
    [PROJECT, directory].map((root) => readFile(path.join(root, 'package-lock.json'), 'utf8')),
  );
  if (own === released) {
    await symlink(path.join(PROJECT, 'node_modules'), path.join(directory, 'node_modules'));
  } else {
    await run('npm', ['ci'], { cwd: directory });
  }
  return directory;
}
