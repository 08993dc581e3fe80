import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { upgradeBase } from '../../support/release/upgrade-base.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'upgrade-base-'));
  git('init', '--quiet');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const AUTHOR = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.example' };
const BY = { ...AUTHOR, GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.example' };

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...BY } }).trim();
}

/** Commits a changelog with these sections, or another change without any. */
function commit(...sections: string[]): string {
  if (sections.length > 0) {
    writeFileSync(path.join(folder, 'CHANGELOG.md'), ['# Changelog', ...sections, ''].join('\n\n'));
  }
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'a change');
  return git('rev-parse', 'HEAD');
}

const base = (env = {}) => upgradeBase(folder, env);
const PREPARED = '## [0.2.0] - 2026-11-25\n\n- One thing.';
const RELEASED = '## [0.2.0] - 2026-11-25\n\n- One thing.\n- [Another](a.md).';
const UNRELEASED = '## [Unreleased]';

test('the tag is the release, wherever the changelog got its section', () => {
  commit(UNRELEASED, RELEASED);
  const tagged = commit();
  git('tag', 'v0.2.0');
  commit(UNRELEASED, RELEASED);
  commit();
  expect(base()).toEqual({ commit: tagged, name: '0.2.0' });
});

test('without a tag, it is the commit that released, not one that prepared it, nor one that moved a link', () => {
  commit(UNRELEASED, PREPARED);
  const released = commit(UNRELEASED, RELEASED);
  commit();
  commit(UNRELEASED, RELEASED.replace('a.md', 'b.md'));
  commit('## [Unreleased]\n\n- Next.', RELEASED);
  expect(base()).toEqual({ commit: released, name: '0.2.0, untagged' });
});

test('of a release that is this commit, the one before is upgraded', () => {
  const first = commit(UNRELEASED, RELEASED);
  commit();
  commit('## [0.3.0]\n\n- More.', RELEASED);
  expect(base()).toMatchObject({ commit: first });
  git('tag', 'v0.3.0');
  expect(base()).toMatchObject({ commit: first });
  commit();
  expect(base()).toMatchObject({ commit: git('rev-parse', 'v0.3.0'), name: '0.3.0' });
});

test('nothing is upgraded from 0.1, which stored secrets that are not read any more', () => {
  commit(RELEASED.replaceAll('0.2.0', '0.1.0'));
  commit('## [Unreleased]', RELEASED.replaceAll('0.2.0', '0.1.0'));
  expect(base()).toMatchObject({ isAvoidable: false });
});

test('the first release has nothing to be upgraded from, and nobody can help it', () => {
  commit(UNRELEASED, PREPARED);
  commit(UNRELEASED, RELEASED);
  const nothing = { why: 'nothing to upgrade from: 0.2.0 is the first, and this commit', isAvoidable: false };
  expect(base()).toEqual(nothing);
  git('tag', 'v0.2.0');
  expect(base()).toEqual(nothing);
});

test('a shallow clone knows no release but a tagged one', () => {
  const [released] = [commit(UNRELEASED, RELEASED), commit()];
  const origin = folder;
  const cloned = (...args: string[]) => {
    folder = mkdtempSync(path.join(tmpdir(), 'upgrade-base-'));
    execFileSync('git', ['clone', '--quiet', ...args, `file://${origin}`, folder]);
  };
  try {
    cloned('--depth', '1');
    expect(base()).toEqual({ why: 'a shallow clone without the tag v0.2.0', isAvoidable: true });
    rmSync(folder, { recursive: true });
    execFileSync('git', ['tag', 'v0.2.0', released], { cwd: origin });
    cloned('--depth', '2');
    expect(base()).toEqual({ commit: released, name: '0.2.0' });
  } finally {
    rmSync(origin, { recursive: true });
  }
});

test('without git nothing is known', () => {
  rmSync(path.join(folder, '.git'), { recursive: true });
  expect(base()).toEqual({ why: 'there is no git, or no history', isAvoidable: true });
});

test('UPGRADE_FROM names another revision, but not this one', () => {
  const first = commit(UNRELEASED, PREPARED);
  commit(UNRELEASED, RELEASED);
  expect(base({ UPGRADE_FROM: 'HEAD~1' })).toEqual({ commit: first, name: 'HEAD~1' });
  expect(base({ UPGRADE_FROM: 'HEAD' })).toMatchObject({ isAvoidable: true });
  expect(base({ UPGRADE_FROM: 'nowhere' })).toMatchObject({ isAvoidable: true });
});
