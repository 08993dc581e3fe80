import path from 'node:path';
import type { Metafile } from 'esbuild';
import { bundle, root } from './bundle.ts';
import { writeDocsPage } from './docs-page.ts';
import { FUNCTION_FOLDERS, type FunctionName } from './function-folders.ts';

/** What a function reads that lies beside its bundle. */
const BESIDE: Partial<Record<FunctionName, (folder: string) => void>> = {
  'docs-page': writeDocsPage,
};

/**
 * Writes all that a function needs into a folder, its bundle as `index.mjs`.
 *
 * @returns what went into the bundle and how much of each
 */
export function writeFunctionCode(name: FunctionName, folder: string): Metafile {
  const contents = bundle(
    path.join(root, 'functions', FUNCTION_FOLDERS[name], 'handler.ts'),
    path.join(folder, 'index.mjs'),
  );
  BESIDE[name]?.(folder);
  return contents;
}
