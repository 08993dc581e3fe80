import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeBundle } from '#code';
import { CONSOLE_FILE } from '../../functions/api/docs-page/page-files.ts';
import type { Validation } from '../../functions/core/catalogue/schema-check.ts';
import { CATALOGUE_FILE } from '../../functions/runtime/catalogue-file.ts';
import { writeSchemas } from '../events/compiled-schemas.ts';
import type { EventCatalogue } from '../events/event-catalogue.ts';
import { writeCataloguePages } from './catalogue-pages.ts';
import { writeConsolePage } from './console-page.ts';
import type { ConsoleSettings } from './console-settings.ts';
import type { FunctionName } from './function-folders.ts';

/** What the files beside a bundle are made of. */
export interface BesideBundle {
  readonly events: EventCatalogue;
  /** @default 'off' */
  readonly validate?: Validation;
  /** How the console looks, which `docs-page` serves. */
  readonly console?: ConsoleSettings;
}

function writeCatalogue(folder: string, { events }: BesideBundle): void {
  writeFileSync(path.join(folder, CATALOGUE_FILE), JSON.stringify(events.types));
}

/** Writes the files that a function reads from beside its bundle, and that depend on the deployment. */
const EXTRA_FILES: Partial<Record<FunctionName, (folder: string, from: BesideBundle) => void>> = {
  match: (folder, from) => {
    writeCatalogue(folder, from);
    if ((from.validate ?? 'off') !== 'off') {
      writeSchemas(folder, from.events.types);
    }
  },
  api: writeCatalogue,
  doctor: writeCatalogue,
  'docs-page': (folder, { console, events }) => {
    writeCataloguePages(folder, events);
    // A package has the usual one: compressing it again takes a second.
    if (console !== undefined || !existsSync(path.join(folder, CONSOLE_FILE))) {
      writeConsolePage(folder, console);
    }
  },
};

/**
 * Writes everything that a function needs into a folder, with its bundle as `index.mjs`.
 *
 * @returns what `writeBundle` says
 */
export function writeFunctionCode(name: FunctionName, folder: string, from: BesideBundle) {
  const contents = writeBundle(name, folder);
  writeBeside(name, folder, from);
  return contents;
}

/** Writes only the files beside the bundle that depend on the deployment. */
export function writeBeside(name: FunctionName, folder: string, from: BesideBundle): void {
  EXTRA_FILES[name]?.(folder, from);
}
