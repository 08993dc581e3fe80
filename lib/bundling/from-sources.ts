import path from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { PROJECT } from '../project-paths.ts';
import { bundle } from './bundle.ts';
import { writeDocsPage } from './docs-page.ts';
import { FUNCTION_FOLDERS, type FunctionName } from './function-folders.ts';
import { inlined } from './inlined.ts';
import type { Inlined } from './sealed-page.ts';

/**
 * `#code` in the repository: everything is bundled from its sources when somebody wants it. In the package
 * `#code` is prebuilt.ts, which has the same functions.
 */

/**
 * Writes a function's bundle into a folder, as `index.mjs`, and the pages that it serves whatever its
 * deployment is like.
 *
 * @returns what went into the bundle, and how many bytes of each
 */
export function writeBundle(name: FunctionName, folder: string): Metafile {
  const contents = bundle(
    path.join(PROJECT, 'functions', FUNCTION_FOLDERS[name], 'handler.ts'),
    path.join(folder, 'index.mjs'),
    {
      streamsEvents: name === 'archive' || name === 'declared-subscription',
      // The largest: 595 KB become 571.
      isTight: name === 'api' || name === 'deliver',
    },
  );
  if (name === 'docs-page') {
    writeDocsPage(folder);
  }
  return contents;
}

/** What the console runs and how it looks, without the settings of a deployment. */
export function consoleParts(): Inlined {
  return inlined(path.join(PROJECT, 'console/main.tsx'));
}

/** Writes the runtime of functions on the emulator; otherwise each process would strip its types, in 40 ms and 12 MB. */
export function writeWorkerRuntime(outfile: string): void {
  buildSync({
    entryPoints: [path.join(PROJECT, 'local/emulator/worker-runtime.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
}
