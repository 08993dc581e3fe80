import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { javaDependencies, libraryOf } from '../../../../../cli/operator/licences/java-dependencies.ts';
import { isAllowed } from '../../../../../cli/operator/licences/licences.ts';
import { MAVEN_GROUPS } from '../../../../../cli/operator/licences/maven-groups.ts';

const all = javaDependencies();

test('each library that Maven fetches has one group, and a licence that its use allows', () => {
  expect(all.length).toBeGreaterThan(140);
  expect(all.filter((one) => !isAllowed(one))).toEqual([]);
});

test('each row of the table is about a library that is fetched', () => {
  const fetched = all.map(({ name, version }) => `${name.split(':')[1]}-${version}`);
  const idle = MAVEN_GROUPS.filter(({ libraries }) => !fetched.some((one) => libraries.test(one)));
  expect(idle).toEqual([]);
});

test.each([
  ['guava-33.4.0-jre.jar', 'pkg:maven/com.google.guava/guava@33.4.0-jre'],
  ['jackson-core-3.1.7.jar', 'pkg:maven/tools.jackson.core/jackson-core@3.1.7'],
  ['pekko-actor_2.13-1.5.0.jar', 'pkg:maven/org.apache.pekko/pekko-actor_2.13@1.5.0'],
  [
    'libsqlite4java-linux-amd64-1.0.392.so',
    'pkg:maven/com.almworks.sqlite4java/libsqlite4java-linux-amd64@1.0.392?type=so',
  ],
  ['nobody-1.0.jar', 'pkg:maven/unknown/nobody@1.0'],
])('%s is %s', (file, purl) => {
  expect(libraryOf(file).purl).toBe(purl);
});

const pomOf = (group: string, artifact: string, version: string) =>
  join(homedir(), '.m2/repository', ...group.split('.'), artifact, version, `${artifact}-${version}.pom`);

/** The names of the licences in a pom, or in the nearest parent that has some. */
function licencesIn(pom: string): string[] {
  const xml = readFileSync(pom, 'utf8');
  const found = [...xml.matchAll(/<license>.*?<name>(.*?)<\/name>/gs)].map(([, name = '']) => name.trim());
  const [, parent] = /<parent>(.*?)<\/parent>/s.exec(xml) ?? [];
  const member = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(parent ?? '')?.[1] ?? '';
  return found.length > 0 || parent === undefined
    ? found
    : licencesIn(pomOf(member('groupId'), member('artifactId'), member('version')));
}

/** How poms call the licences. */
const NAMES: Readonly<Record<string, RegExp>> = {
  'Apache-2.0': /^(The )?Apache.*2|^Apache Software License - Version 2/,
  'BSD-3-Clause': /^The BSD License$|^BSD style$/,
  'EPL-1.0': /^Eclipse Public License - v 1/,
  'EPL-2.0': /^EPL 2|^Eclipse Public License - Version 2/,
  'GPL-2.0-only WITH Classpath-exception-2.0': /^GPL2 w\/ CPE$/,
  'LGPL-2.1-only': /^GNU Lesser General Public License$/,
  'LicenseRef-DynamoDB-Local': /^DynamoDB Local License Agreement$/,
  'LicenseRef-Public-Domain': /^Public Domain$/,
  'MIT-0': /^MIT-0$/,
  'MPL-2.0': /^Mozilla Public License, version 2/,
  MIT: /^(The )?MIT License$/,
};

const withPom = all.flatMap((one) => {
  const [group = '', artifact = ''] = one.name.split(':');
  const pom = pomOf(group, artifact, one.version);
  return existsSync(pom) ? [{ ...one, pom }] : [];
});

(withPom.length === 0 ? test.skip : test)(
  'the licences are those of the poms (needs what Maven has fetched)',
  () => {
    const inPoms = withPom.map(({ name, pom }) => [
      name,
      licencesIn(pom).flatMap(
        (said) => Object.keys(NAMES).find((licence) => NAMES[licence]?.test(said)) ?? said,
      ),
    ]);
    expect(inPoms.map(([name, licences]) => [name, new Set(licences)])).toEqual(
      withPom.map(({ name, licence }) => [name, new Set(licence.split(/ OR | AND /))]),
    );
  },
);
