import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { EventType } from '../../functions/core/catalogue/event-type.ts';
import type { KnownType } from './event-type-file.ts';
import { faultOfReferences } from './references.ts';

/** Loaded when first used: every command imports this, and few need it. */
const loaded = createRequire(import.meta.url);

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

type Schema = NonNullable<EventType['schema']>;

/**
 * A validator of JSON Schema, draft 2020-12, that knows the usual formats and refuses unknown keywords. What
 * it makes of a schema is no larger if a definition is referred to from many places.
 */
export function validator(options: ConstructorParameters<typeof Ajv2020>[0] = {}): Ajv2020 {
  const made: { Ajv2020: typeof Ajv2020 } = loaded('ajv/dist/2020.js');
  const ajv = new made.Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    logger: false,
    inlineRefs: false,
    // `toString` is no member of every object.
    ownProperties: true,
    ...options,
  });
  (loaded('ajv-formats') as { default: (ajv: Ajv2020) => unknown }).default(ajv);
  return ajv;
}

/** The schema as it is compiled: what names it would be an address on the net. */
export function compiledForm({ $schema: _, $id: __, ...schema }: Schema): Schema {
  return schema;
}

/** What is wrong with schemas, and with samples by their schemas. */
export function resourceChecks(known: readonly KnownType[]): string[] {
  // Optimized code takes three times as long to make, and these run once.
  const ajv = validator({ code: { optimize: false } });
  return known.flatMap(({ source, type: { schema, sample } }) => {
    if (schema === undefined) {
      return [];
    }
    const fault = faultOfDialect(schema) ?? faultOfReferences(compiledForm(schema));
    if (fault !== undefined) {
      return [`${source}: schema ${fault}`];
    }
    const validate = compiled(ajv, schema);
    if (typeof validate === 'string') {
      return [`${source}: schema is not a JSON Schema of draft 2020-12: ${validate}`];
    }
    return sample === undefined || validate(sample)
      ? []
      : [`${source}: sample does not fit schema: ${reasonsOf(validate.errors)}. Change one of the two.`];
  });
}

function faultOfDialect({ $schema }: Schema): string | undefined {
  return $schema === undefined || $schema === DIALECT || $schema === `${DIALECT}#`
    ? undefined
    : `has $schema ${JSON.stringify($schema)}: write it in draft 2020-12, with ${DIALECT} or without $schema`;
}

/** @returns why it cannot be compiled */
function compiled(ajv: Ajv2020, schema: Schema): ValidateFunction | string {
  try {
    return ajv.compile(compiledForm(schema));
  } catch (error) {
    return (error as Error).message;
  }
}

function reasonsOf(errors: readonly ErrorObject[] | null | undefined): string {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`).join('; ');
}
