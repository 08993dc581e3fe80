import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../support/documented/pages.ts';

const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');

describe.each(['', 'docs/examples/frameworks/'])('npm, in %j:', (folder) => {
  const manifest = JSON.parse(read(`${folder}package.json`));
  const lock = JSON.parse(read(`${folder}package-lock.json`));
  type Locked = { integrity?: string; inBundle?: boolean; resolved?: string; link?: boolean };
  const workspaces: string[] = manifest.workspaces ?? [];
  // A workspace is ours: its folder, and a link to it.
  const packages = Object.entries<Locked>(lock.packages).filter(
    ([position, { resolved = position }]) => position !== '' && !workspaces.includes(resolved),
  );

  test('each version is said exactly', () => {
    const { dependencies = {}, devDependencies = {}, overrides = {} } = manifest;
    const ofWorkspaces = workspaces.map((name) => JSON.parse(read(`${name}/package.json`)).devDependencies);
    const wanted: [string, string][] = [dependencies, devDependencies, overrides, ...ofWorkspaces].flatMap(
      Object.entries<string>,
    );
    expect(wanted.filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test('the lockfile is that of the manifest', () => {
    const { dependencies, devDependencies } = manifest;
    expect(lock.packages['']).toMatchObject({
      ...(dependencies ? { dependencies } : {}),
      ...(devDependencies ? { devDependencies } : {}),
    });
    for (const name of workspaces) {
      const { devDependencies: ofWorkspace } = JSON.parse(read(`${name}/package.json`));
      expect(lock.packages[name]).toMatchObject({ devDependencies: ofWorkspace });
    }
  });

  test('each package is held to its hash', () => {
    // What comes within another package is held by the hash of that.
    const loose = packages.filter(
      ([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'),
    );
    expect(packages.length).toBeGreaterThan(100);
    expect(loose).toEqual([]);
  });

  test('no package names where it comes from: it comes from the registry of whoever installs', () => {
    expect(packages.filter(([, { resolved, link }]) => resolved !== undefined || link)).toEqual([]);
  });
});

test.each(globSync('{local,test/support}/*/requirements*.txt', { cwd: PROJECT }))(
  'each package of %s has an exact version and hashes, and comes from the index of whoever installs',
  (file) => {
    const entries = read(file)
      .replaceAll(/^#.*\n/gm, '')
      .replaceAll(/\\\n\s*/g, '')
      .trim()
      .split('\n');
    const pinned = /^[\w.-]+==[\w.]+( ;[^;]*?)?( --hash=sha256:[0-9a-f]{64})+$/;
    expect(entries.filter((entry) => !pinned.test(entry.replaceAll(/ +/g, ' ').trim()))).toEqual([]);
  },
);
