import type * as z from 'zod/mini';
import { NewerFormatError } from '../../core/event/format-version.ts';
import type { Item } from './marshalled.ts';

/**
 * Present on items of a later format version than the first. No code writes one yet: the second version must
 * come with an upgrade in its reader.
 */
export const FORMAT_VERSION = 'format_version';

/** The value of an item, or what is wrong with it, without its values: one may be a secret. */
export function read<Value>(item: Item, schema: z.ZodMiniType<Value>, idName: string): Value | Error {
  // In a newer version fields may mean something else, and writing the item back would lose unknown fields.
  if ((item[FORMAT_VERSION] ?? 1) !== 1) {
    return new NewerFormatError(
      `${idName} ${item[idName]}: is of format version ${item[FORMAT_VERSION]}, and only 1 is known here`,
    );
  }
  const parsed = schema.safeParse(item);
  if (parsed.success) {
    return parsed.data;
  }
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  return new Error(`${idName} ${item[idName]}: cannot be read; see ${fields}`);
}

/** The items that can be read. Calls `onInternalError` with the id of each of the others. */
export function readable<Value>(
  items: readonly Item[],
  schema: z.ZodMiniType<Value>,
  idName: string,
  onInternalError: (internalError: Error, id: string) => void,
): Value[] {
  return valuesOf(
    items,
    (item) => read(item, schema, idName),
    (internalError, item) => onInternalError(internalError, String(item[idName])),
  );
}

/** The same, by a reading of its own. */
export function valuesOf<Value>(
  items: readonly Item[],
  reading: (item: Item) => Value | Error,
  onInternalError: (internalError: Error, item: Item) => void,
): Value[] {
  return items.flatMap((item) => {
    const value = reading(item);
    if (value instanceof Error) {
      onInternalError(value, item);
      return [];
    }
    return [value];
  });
}
