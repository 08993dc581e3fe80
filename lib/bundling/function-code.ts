import { existsSync } from 'node:fs';
import path from 'node:path';
import { writeBundle } from '#code';
import { CONSOLE_FILE } from '../../functions/api/docs-page/page-files.ts';
import { writeConsolePage } from './console-page.ts';
import type { ConsoleSettings } from './console-settings.ts';
import type { FunctionName } from './function-folders.ts';

/**
 * Writes everything that a function needs into a folder, with its bundle as `index.mjs`.
 *
 * @param page how the console looks, which `docs-page` serves
 * @returns what `writeBundle` says
 */
export function writeFunctionCode(name: FunctionName, folder: string, page?: ConsoleSettings) {
  const contents = writeBundle(name, folder);
  // A package has the usual one: compressing it again takes a second.
  if (name === 'docs-page' && (page !== undefined || !existsSync(path.join(folder, CONSOLE_FILE)))) {
    writeConsolePage(folder, page);
  }
  return contents;
}
