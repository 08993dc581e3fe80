import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { FUNCTION_FOLDERS } from '../lib/bundling/function-folders.ts';
import { PROJECT } from '../lib/project-paths.ts';

/** Permissive ones only: they ask for their text and the copyright to be passed on. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];

/** Everything that the package, a function or a page may contain, with all that it imports. */
const ENTRIES = [
  'lib/index.ts',
  'bin/cli.ts',
  'console/main.tsx',
  'functions/api/docs-page/page/page.js',
  ...Object.values(FUNCTION_FOLDERS).map((folder) => `functions/${folder}/handler.ts`),
];

/**
 * Writes the licences and notices of all packages that are bundled.
 *
 * @throws when one has another licence than the permissive ones, or none
 */
export async function writeLicences(file: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [...new Set(ENTRIES)].map((entry) => path.join(PROJECT, entry)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: ['aws-cdk-lib', 'constructs'],
    conditions: ['package'],
    outdir: 'nowhere',
    write: false,
    metafile: true,
    logLevel: 'error',
    absWorkingDir: PROJECT,
  });
  const folders = Object.keys(metafile.inputs).flatMap(
    (input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [],
  );
  const packages = [...new Set(folders)].sort().map(read);
  const refused = packages.filter(({ licence }) => !ALLOWED.includes(licence));
  if (refused.length > 0) {
    const list = refused.map(({ name, licence }) => `${name} (${licence})`).join(', ');
    throw new Error(
      `The package would contain ${list}; allowed are ${ALLOWED.join(', ')} (build/licences.ts)`,
    );
  }
  // Packages of one author have the same text.
  const byText = Map.groupBy(packages, ({ text }) => text);
  const parts = [...byText].map(
    ([text, those]) => `${those.map(({ name, licence }) => `${name}: ${licence}`).join('\n')}\n\n${text}\n`,
  );
  const head = 'Payhooks contains code of these packages, under these licences.\n';
  writeFileSync(file, [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`));
}

function read(folder: string) {
  const whole = path.join(PROJECT, folder);
  const { name, version, license } = JSON.parse(readFileSync(path.join(whole, 'package.json'), 'utf8'));
  const texts = readdirSync(whole)
    .filter((file) => /^(licen[cs]e|notice|copying)|\.license\.txt$/i.test(file))
    .sort()
    .map((file) => readFileSync(path.join(whole, file), 'utf8').trim());
  const text = texts.length === 0 ? 'These packages bring no text of their licence.' : texts.join('\n\n');
  return { name: `${name} ${version}`, licence: String(license), text };
}
