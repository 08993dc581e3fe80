import path from 'node:path';
import type { Metafile } from 'esbuild';
import { bundle, root } from './bundle.ts';
import { writeReferencePage } from './reference-page.ts';

/** What a function reads that lies beside its bundle. */
const BESIDE: Readonly<Record<string, (folder: string) => void>> = { reference: writeReferencePage };

/**
 * Writes all that `functions/<name>/handler.ts` needs into a folder, its bundle as `index.mjs`.
 *
 * @returns what went into the bundle and how much of each
 */
export function writeFunctionCode(name: string, folder: string): Metafile {
  const contents = bundle(path.join(root, 'functions', name, 'handler.ts'), path.join(folder, 'index.mjs'));
  BESIDE[name]?.(folder);
  return contents;
}
