import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { PROJECT } from '../lib/project-paths.ts';

/**
 * Our texts name commands as they are typed in the repository, and tests read them there. Whoever installs
 * the package has no npm scripts: `npm run ops -- doctor` becomes `npx payhooks ops doctor`.
 */
export function asInstalled(text: string): string {
  return text
    .replaceAll(
      /npm run (?:--silent )?(webhooks|ops|token|console|portal|local)\b(?: --(?![\w-]))?/g,
      'npx payhooks $1',
    )
    .replaceAll(/npm start\b(?: --(?![\w-]))?/g, 'npx payhooks local --demo');
}

const OWN_REQUIRE = /^const (\w+) = createRequire\(import\.meta\.url\);$/m;

/** What a file loads when it first needs it: esbuild sees that only where it is called `require`. */
function requiring(source: string): string {
  const [line, name] = OWN_REQUIRE.exec(source) ?? [];
  return line === undefined
    ? source
    : source.replace(line, '').replaceAll(new RegExp(`\\b${name}\\(`, 'g'), 'require(');
}

/** For texts in our sources, not in those of others. */
export const sourcesAsInstalled: Plugin = {
  name: 'as-installed',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) =>
      path.relative(PROJECT, file).startsWith('node_modules')
        ? undefined
        : { contents: requiring(asInstalled(await readFile(file, 'utf8'))), loader: 'ts' },
    );
  },
};

/** For the guides and the OpenAPI document that a function serves. */
export function pagesAsInstalled(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.br'))) {
    const file = path.join(folder, name);
    const text = brotliDecompressSync(readFileSync(file)).toString('utf8');
    if (asInstalled(text) !== text) {
      writeFileSync(file, brotliCompressSync(asInstalled(text)));
    }
  }
}
