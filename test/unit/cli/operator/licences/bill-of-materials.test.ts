import { execFileSync } from 'node:child_process';
import { billOfMaterials } from '../../../../../cli/operator/licences/bill-of-materials.ts';
import { javaDependencies } from '../../../../../cli/operator/licences/java-dependencies.ts';
import type { Dependency } from '../../../../../cli/operator/licences/licences.ts';
import { npmDependencies } from '../../../../../cli/operator/licences/npm-dependencies.ts';
import { PROJECT } from '../../../../../lib/project-paths.ts';
import { billFaults } from '../../../../support/release/bill-faults.ts';

const zod = { name: 'zod', purl: 'pkg:npm/zod@4.6.7' };
const npm = { bomFormat: 'CycloneDX', metadata: { component: { name: 'folder' } }, components: [zod] };
const manifest = { name: 'payhooks', dependencies: { zod: '4.6.7' } };

function python(over: Partial<Dependency> = {}): Dependency {
  return {
    ...{ name: 'six', version: '1.17.0', licence: 'MIT', deployed: false, purl: 'pkg:pypi/six@1.17.0' },
    ...{ lockfile: 'local/emulator/requirements.txt', hashes: [{ alg: 'SHA-256', content: 'aa' }] },
    ...over,
  };
}

const billOf = (...all: Dependency[]) => billOfMaterials(npm, manifest, all);

test('the bill is that of npm, under our name, with what npm does not see', () => {
  expect(billOf({ ...python(), ...zod }, python())).toEqual({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'payhooks' } },
    components: [
      zod,
      {
        ...{ type: 'library', 'bom-ref': 'pkg:pypi/six@1.17.0', purl: 'pkg:pypi/six@1.17.0' },
        ...{ name: 'six', version: '1.17.0', scope: 'excluded' },
        properties: [{ name: 'payhooks:lockfile', value: 'local/emulator/requirements.txt' }],
        hashes: [{ alg: 'SHA-256', content: 'aa' }],
        licenses: [{ expression: 'MIT' }],
      },
    ],
  });
});

test('a package of two lockfiles is listed once, with both and all of its hashes', () => {
  const { components } = billOf(
    python(),
    python({ lockfile: 'b.txt', hashes: [{ alg: 'SHA-256', content: 'bb' }] }),
  );
  expect(components).toHaveLength(2);
  expect(components[1]).toMatchObject({
    properties: [{ value: 'local/emulator/requirements.txt' }, { value: 'b.txt' }],
    hashes: [{ content: 'aa' }, { content: 'bb' }],
  });
});

test.each([
  ['MIT OR GPL-2.0-only WITH Classpath-exception-2.0', [{ expression: expect.any(String) }]],
  ['(MIT OR CC0-1.0)', [{ expression: '(MIT OR CC0-1.0)' }]],
  ['MIT License, BSD License', [{ license: { name: 'MIT License, BSD License' } }]],
  ['unknown', undefined],
])('of the licence %j it says %j', (licence, licenses) => {
  const [, six] = billOf(python({ licence })).components as readonly { licenses?: object }[];
  expect(six?.licenses).toEqual(licenses);
});

test('every library of the engines is in it, each once', () => {
  const purls = billOf(...javaDependencies()).components.map(({ purl }) => purl);
  expect(purls).toContain('pkg:maven/com.amazonaws/DynamoDBLocal@2.6.1');
  expect(new Set(purls).size).toBe(purls.length);
});

test('the bill is valid by the schema of CycloneDX, and would not be with a hash of the wrong length', async () => {
  const options = ['--sbom-format', 'cyclonedx', '--package-lock-only'];
  const ofNpm = JSON.parse(execFileSync('npm', ['sbom', ...options], { cwd: PROJECT, encoding: 'utf8' }));
  const classifiers = python({ purl: 'pkg:pypi/pytz@2025.1', licence: 'MIT License, BSD License' });
  const faultsWith = (...more: Dependency[]) => {
    const all = [...npmDependencies(), ...javaDependencies(), ...more];
    return billFaults(JSON.stringify(billOfMaterials(ofNpm, manifest, all)));
  };
  const hash = 'a'.repeat(64);
  const hashed = (content: string) => ({ hashes: [{ alg: 'SHA-256' as const, content }] });
  expect(await faultsWith(python(hashed(hash)), { ...classifiers, ...hashed(hash) })).toEqual([]);
  expect(await faultsWith(python(hashed('aa')))).not.toEqual([]);
});

test('a bill without a dependency of ours is refused', () => {
  const more = { ...manifest, dependencies: { zod: '4.6.7', undici: '7.30.2' } };
  expect(() => billOfMaterials(npm, more, [])).toThrow('not in the bill of materials: undici');
});
