import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { minifySync } from '@swc/core';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { PROJECT } from '../project-paths.ts';

/** Modules of undici that our functions never reach. Names as undici writes them. */
const NEVER_REQUIRED = [
  // Its HTTP parser for CPUs without SIMD; Lambda's arm64 and x86_64 both have SIMD.
  '../llhttp/llhttp-wasm.js',
  // FormData bodies, and with them all of fetch; a webhook's body is a string.
  '../web/fetch/body.js',
];

/**
 * The SDK imports it when an operation streams events, as some of S3 and Lambda do: their clients load it at
 * once.
 */
const EVENT_STREAMS = '@smithy/core/event-streams';

const options = {
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  alias: { '@aws-sdk/credential-provider-node': path.join(import.meta.dirname, 'lambda-credentials.ts') },
  // Some dependencies are CommonJS inside and call `require`.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  // The SDK names the version of each client in a header, and carries its whole package.json for that.
  loader: { '.json': 'empty' },
  // All that esbuild finds are directives of a coverage tool. Bundles are not given to others.
  legalComments: 'none',
  logLevel: 'warning',
  absWorkingDir: PROJECT,
} as const satisfies BuildOptions;

/**
 * Bundles a module and its imports, including the AWS SDK, into one minified ES module that needs only Node
 * 24 and Lambda's environment. What is left out and why: docs/adr/0004-bundles.md.
 *
 * @param entry path of the module
 * @param streamsEvents whether it imports the client of S3 or Lambda
 * @param isReadable keeps the names of our sources, for profiles
 * @param isTight minifies it a second time, by SWC: a second more, and a twenty-fifth less
 * @returns what went into the bundle, and how many bytes of each
 */
export function bundle(
  entry: string,
  outfile: string,
  { streamsEvents = false, isReadable = false, isTight = false } = {},
): Metafile {
  const external = [...NEVER_REQUIRED, ...(streamsEvents ? [] : [EVENT_STREAMS])];
  const { metafile } = buildSync({
    ...options,
    minify: !isReadable,
    external,
    entryPoints: [entry],
    outfile,
  });
  if (isTight) {
    const { code } = minifySync(readFileSync(outfile, 'utf8'), {
      module: true,
      ecma: 2020,
      compress: {},
      mangle: true,
    });
    writeFileSync(outfile, code);
  }
  return metafile;
}
