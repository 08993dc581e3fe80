import * as z from 'zod/mini';

type Words = string | (z.core.GlobalMeta & { readonly description: string });

/**
 * Adds a description to each member of a schema, or more of its JSON Schema, for generated documents. Called
 * as `@__PURE__`, so that no bundle has the texts.
 */
export function describeMembers<Shape extends z.core.$ZodShape>(
  { shape }: { readonly shape: Shape },
  words: Readonly<Record<keyof Shape, Words>>,
): void {
  for (const name of Object.keys(shape)) {
    const said = words[name] as Words;
    z.globalRegistry.add(
      shape[name] as z.core.$ZodType,
      typeof said === 'string' ? { description: said } : said,
    );
  }
}
