import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../../local/project-paths.ts';
import { ensureVenv } from '../../../local/python/venv.ts';
import { printableError } from '../../terminal/printable.ts';

export interface Dependency {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, or the classifiers of a Python package. */
  readonly licence: string;
  /** Whether a function may carry it; otherwise it only builds, tests or measures. */
  readonly deployed: boolean;
  readonly lockfile: string;
}

/** They require no more than their notice. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];

/** We do not distribute tools, so these oblige us to nothing. The last five are classifiers. */
const FOR_TOOLS = [
  ...[...PERMISSIVE, 'BlueOak-1.0.0', 'CC-BY-4.0', 'CC0-1.0', 'CNRI-Python', 'MPL-2.0', 'PSF-2.0'],
  ...['Unlicense', 'WTFPL', 'Zlib', 'Apache Software License', 'BSD License', 'MIT License'],
  ...['Mozilla Public License 2.0 (MPL 2.0)', 'Python Software Foundation License'],
];

const UNKNOWN = 'unknown';

/**
 * By their licence files: the metadata of the first says nothing, and the others are not installed with every
 * Python and system.
 */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  'xmlhttprequest-ssl': 'MIT',
  colorama: 'BSD-3-Clause',
  exceptiongroup: 'MIT',
  taskgroup: 'MIT',
  tomli: 'MIT',
  tzdata: 'Apache-2.0',
};

/** What a lockfile of npm says of one package; the name only where it is not the folder's. */
interface Locked {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
}

const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');

export function npmDependencies(): Dependency[] {
  return [
    'package-lock.json',
    'load/package-lock.json',
    'docs/examples/frameworks/package-lock.json',
  ].flatMap((lockfile) => {
    const locked = Object.entries<Locked>(JSON.parse(read(lockfile)).packages);
    return locked
      .filter(([folder]) => folder !== '')
      .map(([folder, { name = folder.split('node_modules/').at(-1)!, version, license, dev }]) => ({
        name,
        version,
        licence: license ?? READ_BY_HAND[name] ?? UNKNOWN,
        deployed: lockfile === 'package-lock.json' && dev !== true,
        lockfile,
      }));
  });
}

/** Installs the pinned environments that are missing: only an installed package tells its licence. */
export async function pythonDependencies(): Promise<Dependency[]> {
  const lockfiles = globSync('local/*/requirements*.txt', { cwd: PROJECT }).sort();
  const metadata = (await Promise.all(lockfiles.map(metadataOf))).flat();
  // By name alone: of a package that is pinned for several Pythons, one version is installed.
  const licences = new Map(metadata.map((file) => licenceIn(readFileSync(file, 'utf8'))));
  return lockfiles.flatMap((lockfile) =>
    [...read(lockfile).matchAll(/^([\w.-]+)==([^\s;\\]+)/gm)].map(([, name = '', version = '']) => ({
      name,
      version,
      licence: licences.get(name) ?? READ_BY_HAND[name] ?? UNKNOWN,
      deployed: false,
      lockfile,
    })),
  );
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

/**
 * One alternative of an expression has to be allowed as a whole. Nested parentheses are refused: nobody has
 * needed them yet.
 */
export function isAllowed({ licence, deployed }: Pick<Dependency, 'licence' | 'deployed'>): boolean {
  const allowed = deployed ? PERMISSIVE : FOR_TOOLS;
  const alternatives = licence.replace(/^\(([^()]*)\)$/, '$1').split(' OR ');
  return alternatives.some((all) => all.split(/ AND |, /).every((one) => allowed.includes(one)));
}
