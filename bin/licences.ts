import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeFunctionCode } from '../lib/bundling/function-code.ts';
import { FUNCTION_NAMES } from '../lib/bundling/function-folders.ts';

const PROJECT = path.join(import.meta.dirname, '..');

/** Where it lies for whoever has to know. */
export const LICENCES_PATH = path.join(PROJECT, 'docs/licences.md');

/** What a lockfile of npm says of one package. */
interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
}

export interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Functions that carry it; or what it is for. */
  readonly where: string;
}

const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');
const locked = (file: string) => JSON.parse(read(file)).packages as Readonly<Record<string, Locked>>;

/** Each package of which something is in the bundle of a function, by the bundler's own account; and the page of the API, which one serves. */
export function deployedPackages(): Package[] {
  const packages = locked('package-lock.json');
  const carriers = Map.groupBy(bundled(), ({ place }) => place);
  const listed = [...carriers].map(([place, functions]) => ({
    ...packageAt(place, packages[place]),
    where: [...new Set(functions.map(({ name }) => name))].sort().join(', '),
  }));
  return sorted(listed);
}

function bundled(): { place: string; name: string }[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-licences-'));
  try {
    const places = FUNCTION_NAMES.flatMap((name) => {
      const { outputs } = writeFunctionCode(name, path.join(folder, name));
      const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
      return files.flatMap(([file, { bytesInOutput }]) => {
        const place = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
        return place === undefined || bytesInOutput === 0 ? [] : [{ place, name }];
      });
    });
    // Not bundled but laid beside the bundle, whole: lib/bundling/reference-page.ts.
    return [...places, { place: 'node_modules/swagger-ui-dist', name: 'reference' }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Packages that build, test and measure, and are never deployed. */
export function toolPackages(deployedOnes: readonly Package[]): Package[] {
  const deployed = new Set(deployedOnes.map(({ name, version }) => `${name} ${version}`));
  const of = (file: string, where: string) =>
    Object.entries(locked(file))
      .filter(([place]) => place !== '')
      .map(([place, entry]) => ({ ...packageAt(place, entry), where }));
  const tools = [...of('package-lock.json', 'build and tests'), ...of('load/package-lock.json', 'load runs')];
  const once = new Map(tools.reverse().map((tool) => [`${tool.name} ${tool.version}`, tool]));
  return sorted([...once].filter(([key]) => !deployed.has(key)).map(([, tool]) => tool));
}

function packageAt(place: string, entry: Locked | undefined): Omit<Package, 'where'> {
  const name = place.replace(/^.*node_modules\//, '');
  if (entry === undefined) {
    throw new Error(`${place} is not in the lockfile: run npm ci`);
  }
  return { name, version: entry.version, licence: entry.license ?? 'not said' };
}

/** What the requirements in local/ pin, each with the file's purpose: its name behind `requirements`. */
export function pythonPackages(): {
  readonly name: string;
  readonly version: string;
  readonly files: string;
}[] {
  const pins = globSync('local/*/requirements*.txt', { cwd: PROJECT }).flatMap((file) =>
    [...read(file).matchAll(/^([\w.-]+)==([^\s;\\]+)/gm)].map(([, name = '', version = '']) => ({
      name,
      version,
      file,
    })),
  );
  return [...Map.groupBy(pins, ({ name, version }) => `${name} ${version}`).values()]
    .map((same) => ({
      name: same[0]!.name,
      version: same[0]!.version,
      files: same
        .map(({ file }) => file)
        .sort()
        .join(', '),
    }))
    .sort((a, b) => `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`, 'en'));
}

/** Some are for another Python than this machine's. */
const UNKNOWN = 'not installed here';

/** By name and version, of what is installed in the environments below `.local`. */
function installedLicences(): Map<string, string> {
  const found = globSync('.local/*venv/lib/python3*/site-packages/*.dist-info/METADATA', { cwd: PROJECT });
  return new Map(
    found.map((file) => {
      const [head = ''] = read(file).split('\n\n');
      const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(head)?.[1];
      const classified = [...head.matchAll(/^Classifier: License :: (?:.* :: )?(.+)$/gm)].map(
        ([, name]) => name,
      );
      const licence = field('License-Expression') ?? (classified.join(', ') || field('License'));
      const name = (field('Name') ?? '').toLowerCase().replaceAll(/[_.]/g, '-');
      return [`${name} ${field('Version')}`, licence ?? 'not said'];
    }),
  );
}

function sorted(packages: readonly Package[]): Package[] {
  return packages.toSorted((a, b) => `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`, 'en'));
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** @param before the page as it was: it knows the licences of Python packages that are not installed here */
export function licencesPage(before: string, deployed = deployedPackages()): string {
  const installed = installedLicences();
  const python = pythonPackages().map(({ name, version, files }) => {
    const known = before
      .split('\n')
      .find((line) => line.startsWith(`| ${name} | ${version} |`))
      ?.split(' | ')[2];
    return [
      name,
      version,
      known !== undefined && known !== UNKNOWN ? known : (installed.get(`${name} ${version}`) ?? UNKNOWN),
      files,
    ];
  });
  const row = ({ name, version, licence, where }: Package) => [name, version, licence, where];
  return `# Licences

Payhooks itself is under the [MIT licence](../LICENSE). This page is made of the lockfiles and of what the bundler says: \`npm run licences\`. A test holds it to them.

## What is deployed

Something of each of these is in the bundle of a function, or is served to browsers (\`swagger-ui-dist\`). All licences are permissive.

${table(['package', 'version', 'licence', 'functions'], deployed.map(row))}

## Tools

They build, test and measure, run on your machine and in the CI, and are never deployed.

${table(['package', 'version', 'licence', 'for'], toolPackages(deployed).map(row))}

## Tools in Python

${table(['package', 'version', 'licence', 'pinned in local/'], python)}
`;
}

if (import.meta.main) {
  writeFileSync(
    LICENCES_PATH,
    licencesPage(existsSync(LICENCES_PATH) ? readFileSync(LICENCES_PATH, 'utf8') : ''),
  );
}
