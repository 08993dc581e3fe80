import { writeBundle } from '#code';
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
  if (name === 'docs-page') {
    writeConsolePage(folder, page);
  }
  return writeBundle(name, folder);
}
