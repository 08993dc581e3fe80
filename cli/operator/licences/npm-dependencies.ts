import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import { type Dependency, READ_BY_HAND, UNKNOWN } from './licences.ts';

/** What a lockfile of npm says of one package; the name only where it is not the folder's. */
interface Locked {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  /** To a workspace. */
  readonly link?: boolean;
  /** Absent for what comes within another package, and is held by that one's hash. */
  readonly integrity?: string;
}

export function npmDependencies(): Dependency[] {
  return ['package-lock.json', 'docs/examples/frameworks/package-lock.json'].flatMap((lockfile) => {
    const locked = Object.entries<Locked>(JSON.parse(readFileSync(join(PROJECT, lockfile), 'utf8')).packages);
    return (
      locked
        // The root and its workspaces are ours.
        .filter(([folder, { link }]) => folder.startsWith('node_modules/') && !link)
        .map(
          ([folder, { name = folder.split('node_modules/').at(-1)!, version, license, dev, integrity }]) => ({
            name,
            version,
            licence: license ?? READ_BY_HAND[name] ?? UNKNOWN,
            deployed: lockfile === 'package-lock.json' && dev !== true,
            lockfile,
            purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
            hashes: integrity === undefined ? [] : [sha512(integrity)],
          }),
        )
    );
  });
}

function sha512(integrity: string): Dependency['hashes'][number] {
  const [, base64 = ''] = integrity.split('sha512-');
  return { alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') };
}
