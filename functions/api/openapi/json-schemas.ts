import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

interface Named {
  readonly id: string;
}

/** Schemas that are to be written once, under their name, wherever they occur. */
export type Components = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Schemas as JSON Schema, each under its name. What is a component refers to it; `input`: as it has to be sent, before anything is read into it;
 * `output`: as it is answered, open to members that a later version adds.
 *
 * Source of the dialect: OpenAPI 3.1.0, "Schema Object", which is JSON Schema 2020-12.
 */
export function jsonSchemas(
  schemas: Readonly<Record<string, z.core.$ZodType>>,
  components: Components,
  io: 'input' | 'output',
): Record<string, JsonSchema> {
  const registry = z.registry<Named>();
  const names = new Map<z.core.$ZodType, string>();
  // The first name is the one that counts: a component that is an answer by itself keeps its own.
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
    // Two answers may share what is no component: each tells it in full.
    return [[id, name in components ? { $ref: referenceTo(name) } : (plain[name] ?? {})] as const];
  });
  return { ...plain, ...Object.fromEntries(references) };
}

function referenceTo(id: string): string {
  return `#/components/schemas/${id}`;
}

/** That an integer is one which JavaScript can hold is no bound that anybody chose; tools make examples of it. */
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
