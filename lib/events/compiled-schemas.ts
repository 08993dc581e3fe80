import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { EventType } from '../../functions/core/catalogue/event-type.ts';
import { VALIDATIONS, type Validation } from '../../functions/core/catalogue/schema-check.ts';
import { isPlainText } from '../../functions/core/text/plain-text.ts';
import { SCHEMAS_FOLDER, schemaFile } from '../../functions/runtime/schema-checks.ts';
import { refuse } from './catalogue-error.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import { schemasIn } from './references.ts';
import { compiledForm, validator } from './resource-schemas.ts';

/** Loaded when first used: every command imports this, and few need it. */
const loaded = createRequire(import.meta.url);

type Schema = NonNullable<EventType['schema']>;

/** Each item is compared with each other one. */
const MAX_UNIQUE_ITEMS = 1_000;
/** Longer names are not shown. In characters. */
const MAX_NAME = 64;

/** Writes what checks the resources of these types where `match` reads it: code, as nothing is compiled there. */
export function writeSchemas(folder: string, types: readonly EventType[]): void {
  mkdirSync(path.join(folder, SCHEMAS_FOLDER), { recursive: true });
  // Schemas are valid: their catalogue was checked.
  const ajv = validator({ code: { source: true }, messages: false, meta: false, validateSchema: false });
  for (const [index, { schema }] of types.entries()) {
    if (schema !== undefined) {
      writeFileSync(
        path.join(folder, SCHEMAS_FOLDER, schemaFile(index)),
        moduleOf(compiledForm(schema), ajv),
      );
    }
  }
}

function moduleOf(schema: Schema, ajv: Ajv2020): string {
  const standaloneCode: (ajv: Ajv2020, of: ValidateFunction) => string = loaded(
    'ajv/dist/standalone/index.js',
  );
  return `module.exports = (require) => {
const module = {};
${standaloneCode(ajv, ajv.compile(schema))}
return { validate: module.exports, names: ${JSON.stringify(namesIn(schema))} };
};
`;
}

/** The names of members that a schema gives, as far as they are fit for a log. */
function namesIn(schema: Schema): string[] {
  const names = schemasIn(schema).flatMap(({ properties = {}, required = [], dependentRequired = {} }) => [
    ...Object.keys(properties as object),
    ...(required as string[]),
    ...Object.values(dependentRequired as Record<string, string[]>).flat(),
  ]);
  return [...new Set(names)].filter((name) => name.length <= MAX_NAME && isPlainText(name));
}

/**
 * What only matters if events are checked.
 *
 * @throws if there is no such validation
 * @throws CatalogueError if a check could take minutes, or if the doctor has no event that passes
 */
export function refuseUncheckable({
  events,
  validate: validation,
}: {
  readonly events: Pick<EventCatalogue, 'types'>;
  readonly validate: Validation;
}): void {
  if (!VALIDATIONS.includes(validation)) {
    throw new Error(
      `validate: ${JSON.stringify(validation)} given, one of ${VALIDATIONS.join(', ')} expected`,
    );
  }
  if (validation === 'off') {
    return;
  }
  const { types } = events;
  const endless = types.flatMap(({ name, schema = {} }) =>
    schemasIn(compiledForm(schema)).some(
      ({ uniqueItems, maxItems = Infinity }) =>
        uniqueItems === true && (maxItems as number) > MAX_UNIQUE_ITEMS,
    )
      ? [
          `${name}: schema has uniqueItems without maxItems of ${MAX_UNIQUE_ITEMS} or less beside it: with validate: '${validation}' each item is compared with each other one. Add maxItems.`,
        ]
      : [],
  );
  const isSendable = types.some(({ schema, sample }) => schema === undefined || sample !== undefined);
  refuse([
    ...endless,
    ...(isSendable || validation === 'mark'
      ? []
      : [
          "every type has a schema and none a sample: with validate: 'refuse' the doctor has no event to send. Give one type a sample.",
        ]),
  ]);
}
