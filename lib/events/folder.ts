import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Yaml from 'yaml';
import { CatalogueError } from './catalogue-error.ts';
import type { GivenType } from './event-type-file.ts';

/** Loaded when first used: every command imports this, and few need it. */
const loaded = createRequire(import.meta.url);

const EXTENSIONS = ['.json', '.yaml', '.yml'];

/** @throws CatalogueError when there is none, or one cannot be parsed */
export function filesIn(folder: string): GivenType[] {
  const shown = path.relative(process.cwd(), folder) || folder;
  const files = namesIn(folder, shown)
    .filter((name) => EXTENSIONS.includes(path.extname(name)))
    .sort();
  if (files.length === 0) {
    throw new CatalogueError([
      `${shown} has no file that ends in ${EXTENSIONS.join(', ')}: write one for each event type (docs/publishing.md, "Your event types").`,
    ]);
  }
  const faults: string[] = [];
  const given = files.flatMap((name) => {
    const source = path.join(shown, name);
    try {
      return [{ source, value: parsed(readFileSync(path.join(folder, name), 'utf8'), name) }];
    } catch (error) {
      faults.push(`${source} cannot be read: ${(error as Error).message.trim()}`);
      return [];
    }
  });
  if (faults.length > 0) {
    throw new CatalogueError(faults);
  }
  return given;
}

function namesIn(folder: string, shown: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CatalogueError([
      `${shown} is not a folder that can be read (${code}): give the folder that has a file for each event type.`,
    ]);
  }
}

/** @throws with the line of what is wrong */
function parsed(text: string, name: string): unknown {
  if (name.endsWith('.json')) {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  }
  const { parseDocument }: typeof Yaml = loaded('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    throw error;
  }
  // Without what only YAML can say: dates and numbers that JSON lacks, a value that contains itself.
  return JSON.parse(JSON.stringify(document.toJS()) ?? 'null');
}
