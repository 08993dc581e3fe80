import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { writeConsolePage } from '../lib/bundling/console-page.ts';
import { consoleParts, writeBundle, writeWorkerRuntime } from '../lib/bundling/from-sources.ts';
import { FUNCTION_NAMES } from '../lib/bundling/function-folders.ts';
import { PROJECT } from '../lib/project-paths.ts';
import { asInstalled, pagesAsInstalled, sourcesAsInstalled } from './as-installed.ts';
import { writeLicences } from './licences.ts';
import { writeTypings } from './typings.ts';

/**
 * Makes dist/: with the files that package.json lists, it is the package. Functions, console and pages are
 * bundled here, so that whoever installs it needs neither esbuild nor our sources.
 */
const DIST = path.join(PROJECT, 'dist');

rmSync(DIST, { recursive: true, force: true });
await build({
  entryPoints: {
    index: path.join(PROJECT, 'lib/index.ts'),
    payhooks: path.join(PROJECT, 'bin/cli.ts'),
  },
  outdir: DIST,
  bundle: true,
  // What only documents need is described by calls that bundles of functions leave out: here they are needed.
  ignoreAnnotations: true,
  // Commands load only what they need, and share it with the constructs.
  splitting: true,
  platform: 'node',
  // The constructs run on the Node of an app, the commands on 24.
  target: 'node22',
  format: 'esm',
  mainFields: ['module', 'main'],
  external: ['aws-cdk-lib', 'constructs'],
  conditions: ['package'],
  plugins: [sourcesAsInstalled],
  // When it throws, Node prints the line: a minified one is the whole file.
  minify: false,
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  legalComments: 'none',
  logLevel: 'warning',
  absWorkingDir: PROJECT,
});
for (const name of FUNCTION_NAMES) {
  const folder = path.join(DIST, 'functions', name);
  mkdirSync(folder, { recursive: true });
  writeBundle(name, folder);
}
const pages = path.join(DIST, 'functions/docs-page');
pagesAsInstalled(pages);
const { script, style } = consoleParts();
const parts = { script: asInstalled(script), style };
writeConsolePage(pages, undefined, parts);
// For a console with settings of its own.
writeFileSync(path.join(DIST, 'console.json'), JSON.stringify(parts));
writeWorkerRuntime(path.join(DIST, 'worker-runtime.mjs'));
await writeTypings(path.join(DIST, 'types'));
await writeLicences(path.join(DIST, 'THIRD-PARTY-LICENCES.txt'));
