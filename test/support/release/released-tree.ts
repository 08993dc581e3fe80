import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../../../local/project-paths.ts';

const run = promisify(execFile);
const git = async (...args: string[]) => (await run('git', args, { cwd: PROJECT })).stdout.trim();

/**
 * The commit of the latest release: its tag or, in a clone without tags, the commit that gave the changelog its
 * heading. `UPGRADE_FROM` names any other revision.
 *
 * @returns undefined without a release, or without git's history
 */
export async function latestRelease(revision = process.env.UPGRADE_FROM): Promise<string | undefined> {
  if (revision !== undefined) {
    return git('rev-parse', '--verify', `${revision}^{commit}`);
  }
  const changelog = await readFile(path.join(PROJECT, 'CHANGELOG.md'), 'utf8');
  const heading = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog);
  if (heading === null) {
    return undefined;
  }
  try {
    return await git('rev-parse', '--verify', '--quiet', `v${heading[1]}^{commit}`);
  } catch {
    const commits = await git('log', '--format=%H', `-S${heading[0]}`, '--', 'CHANGELOG.md').catch(() => '');
    return commits.split('\n').at(-1) || undefined;
  }
}

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
