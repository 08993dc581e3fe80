import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import { type Dependency, UNKNOWN } from './licences.ts';
import { MAVEN_GROUPS } from './maven-groups.ts';

/** What the engines and Spring Boot are made of. Needs no Java. */
export function javaDependencies(): Dependency[] {
  const lists = globSync('local/java/*/libraries.sha256', { cwd: PROJECT }).sort();
  return lists.flatMap((lockfile) =>
    [...readFileSync(join(PROJECT, lockfile), 'utf8').matchAll(/^(\w+) {2}(.+)$/gm)].map(
      ([, content = '', file = '']) => ({
        ...libraryOf(file),
        deployed: false,
        lockfile,
        hashes: [{ alg: 'SHA-256', content }],
      }),
    ),
  );
}

/** @param file such as `guava-33.4.0-jre.jar` */
export function libraryOf(file: string): Pick<Dependency, 'name' | 'version' | 'licence' | 'purl'> {
  const [, artifact = file, version = '', type] = /^(.+?)-(\d.*)\.(\w+)$/.exec(file) ?? [];
  const found = MAVEN_GROUPS.filter(({ libraries }) => libraries.test(`${artifact}-${version}`));
  // With none or several, nobody knows which; a test says so first.
  const [{ group, licence } = { group: UNKNOWN, licence: UNKNOWN }] = found.length === 1 ? found : [];
  return {
    ...{ name: `${group}:${artifact}`, version, licence },
    purl: `pkg:maven/${group}/${artifact}@${version}${type === 'jar' ? '' : `?type=${type}`}`,
  };
}
