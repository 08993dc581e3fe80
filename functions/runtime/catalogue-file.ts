import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Catalogue, catalogueOf } from '../core/catalogue/catalogue.ts';

/** Beside the bundle, so that a new event type is deployed without a new bundle. JSON: a list of types. */
export const CATALOGUE_FILE = 'catalogue.json';

/** @param folder of the bundle */
export function catalogueBeside(folder: string): Catalogue {
  return catalogueOf(JSON.parse(readFileSync(path.join(folder, CATALOGUE_FILE), 'utf8')));
}
