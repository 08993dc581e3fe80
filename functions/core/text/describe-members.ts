import * as z from 'zod/mini';

/**
 * Adds a description to each member of a schema, for generated documents. Called as `@__PURE__`, so that no
 * bundle has the texts.
 */
export function describeMembers<Shape extends z.core.$ZodShape>(
  { shape }: z.ZodMiniObject<Shape>,
  words: Readonly<Record<keyof Shape, string>>,
): void {
  for (const name of Object.keys(shape)) {
    z.globalRegistry.add(shape[name] as z.core.$ZodType, { description: words[name] as string });
  }
}
