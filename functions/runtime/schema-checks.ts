import { createRequire as requireFrom } from 'node:module';
import path from 'node:path';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import equal from 'fast-deep-equal';
import type { Catalogue } from '../core/catalogue/catalogue.ts';
import type { CompiledSchema, SchemaChecks } from '../core/catalogue/schema-check.ts';

/** Beside the bundle: a file for each type that has a schema. */
export const SCHEMAS_FOLDER = 'schemas';

/** The file of a type, by its place in the catalogue: names differ in more than file systems tell apart. */
export const schemaFile = (index: number) => `${index}.cjs`;

/** A file's only export: given the modules that ajv's standalone code requires, the schema. */
type SchemaModule = (require: (name: string) => unknown) => CompiledSchema;

const MODULES: Readonly<Record<string, unknown>> = {
  'ajv/dist/runtime/equal': { default: equal },
  'ajv/dist/runtime/ucs2length': { default: (text: string) => [...text].length },
  'ajv-formats/dist/formats': { fullFormats },
};

/**
 * The schemas beside a bundle. A type's is loaded with its first event: a cold start does not wait for all.
 *
 * @param folder of the bundle
 * @param validation a `Validation`
 * @returns undefined when nothing is checked
 */
export function schemaChecksBeside(
  folder: string,
  { types }: Catalogue,
  validation: string,
): SchemaChecks | undefined {
  if (validation === 'off') {
    return undefined;
  }
  const load = requireFrom(import.meta.url);
  const files = new Map(
    types.flatMap(({ name, schema }, index) => (schema === undefined ? [] : [[name, schemaFile(index)]])),
  );
  const loaded = new Map<string, CompiledSchema>();
  return {
    refuses: validation === 'refuse',
    of(eventType) {
      const file = files.get(eventType);
      if (file === undefined) {
        return undefined;
      }
      let schema = loaded.get(eventType);
      if (schema === undefined) {
        schema = (load(path.join(folder, SCHEMAS_FOLDER, file)) as SchemaModule)((name) => MODULES[name]);
        loaded.set(eventType, schema);
      }
      return schema;
    },
  };
}
