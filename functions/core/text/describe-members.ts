import * as z from 'zod/mini';

/**
 * Says what each member of a schema means, for documents that are made of it. Kept apart from the schema where that is also used by workers, which
 * need not carry the words.
 */
export function describeMembers<Shape extends z.core.$ZodShape>(
  { shape }: z.ZodMiniObject<Shape>,
  words: Readonly<Record<keyof Shape, string>>,
): void {
  for (const name of Object.keys(shape)) {
    z.globalRegistry.add(shape[name] as z.core.$ZodType, { description: words[name] as string });
  }
}
