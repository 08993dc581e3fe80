import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PROJECT } from '../../../lib/project-paths.ts';
import { terminal } from '../../terminal/terminal.ts';
import { javaDependencies } from './java-dependencies.ts';
import { type Dependency, UNKNOWN } from './licences.ts';
import { npmDependencies } from './npm-dependencies.ts';
import { pythonDependencies } from './python-dependencies.ts';

/** What `npm sbom` writes of itself, as far as we read it. Source: CycloneDX 1.5, JSON. */
interface Bill {
  readonly metadata: { readonly component: object };
  readonly components: readonly { readonly name: string; readonly purl: string }[];
}

interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * npm's bill of materials, and with it what npm does not see: other lockfiles, each package with the hashes
 * that it is held to.
 *
 * @throws if a dependency of the manifest is missing
 */
export function billOfMaterials(
  npm: Bill,
  { name, dependencies }: Manifest,
  all: readonly Dependency[],
): Bill {
  const known = new Set(npm.components.map(({ purl }) => purl));
  const others = Map.groupBy(
    all.filter(({ purl }) => !known.has(purl)),
    ({ purl }) => purl,
  );
  const bill = {
    ...npm,
    // npm takes the name of the folder.
    metadata: { ...npm.metadata, component: { ...npm.metadata.component, name } },
    components: [...npm.components, ...[...others.values()].map(componentOf)],
  };
  const names = new Set(bill.components.map((component) => component.name));
  const missing = Object.keys(dependencies).filter((dependency) => !names.has(dependency));
  if (missing.length > 0) {
    throw new Error(`not in the bill of materials: ${missing}`);
  }
  return bill;
}

/** One package, in whichever lockfiles it is. */
function componentOf(same: readonly Dependency[]) {
  const { name, version, licence, purl } = same[0] as Dependency;
  const hashes = new Map(same.flatMap((one) => one.hashes).map((hash) => [hash.content, hash]));
  return {
    ...{ type: 'library', 'bom-ref': purl, name, version, scope: 'excluded', purl },
    properties: [...new Set(same.map(({ lockfile }) => lockfile))].map((value) => ({
      ...{ name: 'payhooks:lockfile', value },
    })),
    hashes: [...hashes.values()],
    ...(licence === UNKNOWN ? {} : { licenses: [licencesOf(licence)] }),
  };
}

/** An expression, or the classifiers of a Python package, which are none. */
function licencesOf(licence: string): object {
  return /^[\w.()-]+( (AND|OR|WITH) [\w.()-]+)*$/.test(licence)
    ? { expression: licence }
    : { license: { name: licence } };
}

if (import.meta.main) {
  const bill = billOfMaterials(
    JSON.parse(await text(process.stdin)),
    JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')),
    [...npmDependencies(), ...(await pythonDependencies()), ...javaDependencies()],
  );
  terminal([]).print(`${JSON.stringify(bill, null, 2)}\n`);
}
