import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import { ensureVenv } from '../../../local/python/venv.ts';
import { printableError } from '../../terminal/printable.ts';
import { type Dependency, READ_BY_HAND, UNKNOWN } from './licences.ts';

/** Installs the pinned environments that are missing: only an installed package tells its licence. */
export async function pythonDependencies(): Promise<Dependency[]> {
  const lockfiles = globSync('local/*/requirements*.txt', { cwd: PROJECT }).sort();
  const metadata = (await Promise.all(lockfiles.map(metadataOf))).flat();
  // By name alone: of a package that is pinned for several Pythons, one version is installed.
  const licences = new Map(metadata.map((file) => licenceIn(readFileSync(file, 'utf8'))));
  return lockfiles.flatMap((lockfile) =>
    pinnedIn(readFileSync(join(PROJECT, lockfile), 'utf8')).map(({ name, version, hashes }) => ({
      ...{ name, version, hashes, lockfile },
      licence: licences.get(name) ?? READ_BY_HAND[name] ?? UNKNOWN,
      deployed: false,
      purl: `pkg:pypi/${name}@${version}`,
    })),
  );
}

export function pinnedIn(requirements: string): Pick<Dependency, 'name' | 'version' | 'hashes'>[] {
  const entries = requirements.matchAll(/^([\w.-]+)==([^\s;\\]+)((?:.*\\\n)*.*)/gm);
  return [...entries].map(([, name = '', version = '', rest = '']) => ({
    name,
    version,
    hashes: [...rest.matchAll(/--hash=sha256:(\w+)/g)].map(([, content = '']) => ({
      alg: 'SHA-256',
      content,
    })),
  }));
}

async function metadataOf(requirements: string): Promise<string[]> {
  const [, purpose] = /requirements-(.+)\.txt$/.exec(requirements) ?? [];
  const python = await ensureVenv({
    name: purpose === undefined ? 'venv' : `${purpose}-venv`,
    requirements: join(PROJECT, requirements),
    log: (line) => console.error(printableError(line)),
  });
  const venv = join(python, '../..');
  const files = globSync('lib/python3*/site-packages/*.dist-info/METADATA', { cwd: venv });
  return files.map((file) => join(venv, file));
}

/** @returns the package's name as requirements spell it, and its licence */
export function licenceIn(metadata: string): [name: string, licence: string] {
  const [head = ''] = metadata.split('\n\n');
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(head)?.[1];
  const classifiers = [...head.matchAll(/^Classifier: License :: (?:.* :: )?(.+)$/gm)].map(
    ([, name]) => name,
  );
  const name = (field('Name') ?? '').toLowerCase().replaceAll(/[_.]/g, '-');
  return [name, field('License-Expression') ?? (classifiers.join(', ') || field('License')) ?? UNKNOWN];
}
