import path from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

export const root = path.resolve(import.meta.dirname, '../..');

/** What undici requires only on ways that a function never takes. Names as undici writes them. */
const NEVER_REQUIRED = [
  // Its HTTP parser for machines without SIMD; Lambda's arm64 and x86_64 both have it.
  '../llhttp/llhttp-wasm.js',
  // Bodies made of FormData, and with them all of fetch; a webhook's body is a string.
  '../web/fetch/body.js',
];

const options = {
  bundle: true,
  minify: true,
  metafile: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  alias: { '@aws-sdk/credential-provider-node': path.join(import.meta.dirname, 'lambda-credentials.ts') },
  external: NEVER_REQUIRED,
  // Some dependencies are CommonJS inside and call require.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  logLevel: 'warning',
  absWorkingDir: root,
} as const satisfies BuildOptions;

/**
 * Writes a module and all it imports, the AWS SDK included, into one minified ES module that needs nothing but Node 24 and Lambda's
 * environment. What is left out and why: docs/adr/0004-bundles.md.
 *
 * @param entry path of the module
 * @param sourceMap writes `<outfile>.map` beside it; the bundle is the same and does not name it
 * @returns what went into it and how much of each
 */
export function bundle(entry: string, outfile: string, { sourceMap = false } = {}): Metafile {
  const sourcemap = sourceMap ? 'external' : false;
  return buildSync({ ...options, sourcemap, entryPoints: [entry], outfile }).metafile;
}
