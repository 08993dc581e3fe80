import path from 'node:path';
import type { Metafile } from 'esbuild';
import { bundle, root } from './bundle.ts';
import { writeConsolePage } from './console-page.ts';
import type { ConsoleSettings } from './console-settings.ts';
import { writeDocsPage } from './docs-page.ts';
import { FUNCTION_FOLDERS, type FunctionName } from './function-folders.ts';

/** Writes the files that a function reads from beside its bundle. */
const EXTRA_FILES: Partial<Record<FunctionName, (folder: string, page?: ConsoleSettings) => void>> = {
  'docs-page': (folder, page) => {
    writeDocsPage(folder);
    writeConsolePage(folder, page);
  },
};

/**
 * Writes everything that a function needs into a folder, with its bundle as `index.mjs`.
 *
 * @param page how the console looks, which `docs-page` serves
 * @returns what went into the bundle, and how many bytes of each
 */
export function writeFunctionCode(name: FunctionName, folder: string, page?: ConsoleSettings): Metafile {
  const contents = bundle(
    path.join(root, 'functions', FUNCTION_FOLDERS[name], 'handler.ts'),
    path.join(folder, 'index.mjs'),
    { usesS3: name === 'archive' },
  );
  EXTRA_FILES[name]?.(folder, page);
  return contents;
}
