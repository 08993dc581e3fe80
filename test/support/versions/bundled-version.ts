import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import type * as Version from './version.ts';

/** A file of functions/, a text that stands there once, and what a version to come says instead. */
export type Change = readonly [file: string, from: string, to: string];

const FUNCTIONS = path.resolve(import.meta.dirname, '../../../functions');

/**
 * The code that delivers messages, as a release to come may have it: bundled, so that it runs beside today's.
 *
 * @throws when a text does not stand there, or more than once: the change has to follow the code
 */
export async function bundledVersion(changes: readonly Change[]): Promise<typeof Version> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'version.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    logLevel: 'silent',
    plugins: [changed(changes)],
  });
  const module = { exports: {} as typeof Version };
  new Function('module', 'require', outputFiles[0]!.text)(module, require);
  return module.exports;
}

function changed(changes: readonly Change[]): Plugin {
  return {
    name: 'changed',
    setup({ onLoad }) {
      onLoad({ filter: /functions.*[.]ts$/ }, ({ path: file }) => {
        const own = changes.filter(([name]) => path.join(FUNCTIONS, name) === file);
        const contents = own.reduce(
          (text, [name, from, to]) => {
            const parts = text.split(from);
            if (parts.length !== 2) {
              throw new Error(`"${from}" stands ${parts.length - 1} times in ${name}`);
            }
            return parts.join(to);
          },
          readFileSync(file, 'utf8'),
        );
        return { contents, loader: 'ts' };
      });
    },
  };
}
