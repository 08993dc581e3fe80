import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../../../lib/project-paths.ts';

/** What is upgraded from; or why nothing is, and whether somebody could have seen to it. */
type UpgradeBase =
  | { readonly commit: string; readonly name: string }
  | { readonly why: string; readonly isAvoidable: boolean };

/** 0.2 broke with what 0.1 stored and queued: nobody had data then. */
const UNREADABLE = '0.1.';

/**
 * The latest release that is not this very commit: its tag or, in a clone without tags, the commit since
 * which the changelog has its section as it is now, but for where links lead. Without its tag, a section that
 * was edited later moves its release. `UPGRADE_FROM` names any other revision.
 */
export function upgradeBase(project: string, { UPGRADE_FROM }: NodeJS.ProcessEnv): UpgradeBase {
  const git = gitIn(project);
  const head = git('rev-parse', '--verify', 'HEAD');
  if (head === undefined) {
    return { why: 'there is no git, or no history', isAvoidable: true };
  }
  if (UPGRADE_FROM !== undefined) {
    const commit = git('rev-parse', '--verify', '--quiet', `${UPGRADE_FROM}^{commit}`);
    return commit === undefined || commit === head
      ? { why: `UPGRADE_FROM=${UPGRADE_FROM} is this commit or none`, isAvoidable: true }
      : { commit, name: UPGRADE_FROM };
  }
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
  const versions = versionsIn(readFileSync(path.join(project, 'CHANGELOG.md'), 'utf8'));
  for (const version of versions) {
    if (version.startsWith(UNREADABLE)) {
      return { why: `nothing that ${version} stored can be read since`, isAvoidable: false };
    }
    const tagged = git('rev-parse', '--verify', '--quiet', `v${version}^{commit}`);
    if (tagged === undefined && isShallow) {
      return { why: `a shallow clone without the tag v${version}`, isAvoidable: true };
    }
    const commit = tagged ?? writtenBy(git, version);
    if (commit !== undefined && commit !== head) {
      return { commit, name: tagged === undefined ? `${version}, untagged` : version };
    }
  }
  const [latest = 'no release'] = versions;
  return { why: `nothing to upgrade from: ${latest} is the first, and this commit`, isAvoidable: false };
}

type Git = (...args: string[]) => string | undefined;

function gitIn(cwd: string): Git {
  return (...args) => {
    try {
      return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return undefined;
    }
  };
}

/** Those released, the newest first: the version to come has no date yet. */
function versionsIn(changelog: string): string[] {
  return [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d/gm)].map(([, version = '']) => version);
}

function writtenBy(git: Git, version: string): string | undefined {
  const section = (commit: string) => sectionOf(git('show', `${commit}:CHANGELOG.md`) ?? '', version);
  const commits = git('log', '--first-parent', '--format=%H', '--', 'CHANGELOG.md')?.split('\n') ?? [];
  const now = section('HEAD');
  const older = commits.findIndex((commit) => section(commit) !== now);
  return now === undefined ? undefined : commits.slice(0, older === -1 ? undefined : older).at(-1);
}

function sectionOf(changelog: string, version: string): string | undefined {
  const [, section] = changelog.split(`## [${version}]`);
  return section
    ?.split('\n## [')[0]
    ?.replaceAll(/\]\([^)]*\)/g, ']')
    .trim();
}

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
