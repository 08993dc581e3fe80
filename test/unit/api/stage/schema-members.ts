import * as z from 'zod';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** The name of every member that a value of a schema may have, wherever it stands. */
export function membersIn(schema: z.core.$ZodType): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (one: Schema | boolean | undefined) => {
    if (typeof one !== 'object') {
      return;
    }
    for (const [name, member] of Object.entries(one.properties ?? {})) {
      names.add(name);
      walk(member);
    }
    const { items, additionalProperties, anyOf = [], oneOf = [], allOf = [], $defs = {} } = one;
    [items, additionalProperties, ...anyOf, ...oneOf, ...allOf, ...Object.values($defs)].forEach(walk);
  };
  walk(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Schema);
  return names;
}
