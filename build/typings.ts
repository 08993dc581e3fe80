import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { PROJECT, searchPath } from '../lib/project-paths.ts';

const IMPORT = /(?:from |import\()['"](\.[^'"]+)\.ts['"]/g;

/**
 * Writes the declarations that lib/index.ts needs, in the folders of their sources. What others must install
 * to use them is refused.
 *
 * @throws when a declaration imports a package that is not a peer
 */
export async function writeTypings(folder: string): Promise<void> {
  await promisify(execFile)(
    'tsc',
    [
      ...[
        '--ignoreConfig',
        '--declaration',
        '--emitDeclarationOnly',
        '--rootDir',
        PROJECT,
        '--outDir',
        folder,
      ],
      ...['--target', 'ES2024', '--module', 'NodeNext', '--strict', '--skipLibCheck', '--resolveJsonModule'],
      ...['--allowImportingTsExtensions', '--types', 'node', '--stripInternal'],
      path.join(PROJECT, 'lib/index.ts'),
    ],
    { cwd: PROJECT, env: { ...process.env, PATH: searchPath(process.env) } },
  );
  const needed = reachable(path.join(folder, 'lib/index.d.ts'));
  for (const file of globSync(`${folder}/**/*.d.ts`)) {
    if (!needed.has(file)) {
      rmSync(file);
    }
  }
  for (const file of needed) {
    const foreign = [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"]([^.'"][^'"]*)['"]/g)]
      .map(([, name = '']) => name)
      .filter((name) => !/^(aws-cdk-lib|constructs)(\/|$)/.test(name));
    if (foreign.length > 0) {
      throw new Error(
        `The typings of the package need ${foreign.join(', ')}: ${path.relative(folder, file)}`,
      );
    }
  }
}

function reachable(file: string, known: Set<string> = new Set()): ReadonlySet<string> {
  if (known.has(file)) {
    return known;
  }
  known.add(file);
  for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    reachable(path.resolve(path.dirname(file), `${target}.d.ts`), known);
  }
  return known;
}
