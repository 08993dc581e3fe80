import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { CATALOGUE_FILE } from '../../functions/runtime/catalogue-file.ts';
import type { EventCatalogue } from '../events/event-catalogue.ts';
import { bundle, root } from './bundle.ts';
import { writeConsolePage } from './console-page.ts';
import type { ConsoleSettings } from './console-settings.ts';
import { writeDocsPage } from './docs-page.ts';
import { FUNCTION_FOLDERS, type FunctionName } from './function-folders.ts';

/** What the files beside a bundle are made of. */
export interface BesideBundle {
  readonly events: EventCatalogue;
  /** How the console looks, which `docs-page` serves. */
  readonly console?: ConsoleSettings;
}

function writeCatalogue(folder: string, { events }: BesideBundle): void {
  writeFileSync(path.join(folder, CATALOGUE_FILE), JSON.stringify(events.types));
}

/** Writes the files that a function reads from beside its bundle. */
const EXTRA_FILES: Partial<Record<FunctionName, (folder: string, from: BesideBundle) => void>> = {
  match: writeCatalogue,
  api: writeCatalogue,
  doctor: writeCatalogue,
  'docs-page': (folder, { console, events }) => {
    writeDocsPage(folder, events);
    writeConsolePage(folder, console);
  },
};

/**
 * Writes everything that a function needs into a folder, with its bundle as `index.mjs`.
 *
 * @returns what went into the bundle, and how many bytes of each
 */
export function writeFunctionCode(name: FunctionName, folder: string, from: BesideBundle): Metafile {
  const contents = bundle(
    path.join(root, 'functions', FUNCTION_FOLDERS[name], 'handler.ts'),
    path.join(folder, 'index.mjs'),
    { usesS3: name === 'archive' },
  );
  EXTRA_FILES[name]?.(folder, from);
  return contents;
}
