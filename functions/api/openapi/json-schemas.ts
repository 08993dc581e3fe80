import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

interface Named {
  readonly id: string;
}

/** Schemas that are written once under a name and referred to everywhere else. */
export type Components = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Converts schemas to JSON Schema, each under its name; a schema that is a component becomes a reference to
 * it.
 *
 * Source of the dialect: OpenAPI 3.1.0, "Schema Object", which is JSON Schema 2020-12.
 *
 * @param io `input`: what has to be sent, before defaults and transforms; `output`: what is answered, open to
 * properties that a later version adds
 */
export function jsonSchemas(
  schemas: Readonly<Record<string, z.core.$ZodType>>,
  components: Components,
  io: 'input' | 'output',
): Record<string, JsonSchema> {
  const registry = z.registry<Named>();
  const names = new Map<z.core.$ZodType, string>();
  // The first name wins: a component that is a whole answer keeps the name of the component.
  for (const [id, schema] of [...Object.entries(components), ...Object.entries(schemas)]) {
    if (!names.has(schema)) {
      names.set(schema, id);
      registry.add(schema, { id });
    }
  }
  const { schemas: made } = z.toJSONSchema(registry, {
    io,
    uri: referenceTo,
    override: ({ jsonSchema }) => {
      if (io === 'output') {
        delete jsonSchema.additionalProperties;
      }
      withoutSafeBounds(jsonSchema);
    },
  });
  const plain = Object.fromEntries(Object.entries(made).map(([id, schema]) => [id, withoutName(schema)]));
  const references = Object.entries(schemas).flatMap(([id, schema]) => {
    const name = names.get(schema);
    if (name === undefined || name === id) {
      return [];
    }
    // Two answers may share a schema that is not a component: each contains it in full.
    return [[id, name in components ? { $ref: referenceTo(name) } : (plain[name] ?? {})] as const];
  });
  return { ...plain, ...Object.fromEntries(references) };
}

function referenceTo(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Removes the bounds that Zod gives every integer: nobody chose them, and tools build examples of them. */
function withoutSafeBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) {
    delete schema.minimum;
  }
  if (schema.maximum === Number.MAX_SAFE_INTEGER) {
    delete schema.maximum;
  }
}

function withoutName({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
