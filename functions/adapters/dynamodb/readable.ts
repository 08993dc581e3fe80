import type * as z from 'zod/mini';
import { NewerFormatError } from '../../core/event/format-version.ts';
import type { Item } from './marshalled.ts';

/** What an item has that is not of the first version of its format. No code has written one yet: whoever writes the second gives its reader the step to it. */
export const FORMAT_VERSION = 'format_version';

/** What an item says, or what is wrong with it: without its values, of which one may be a secret. */
export function read<Value>(item: Item, schema: z.ZodMiniType<Value>, idName: string): Value | Error {
  // Its members may mean something else by then, and written again it would lose those that are not known here.
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

/** The items that can be read; `onFault` hears of each of the others, by its id. */
export function readable<Value>(
  items: readonly Item[],
  schema: z.ZodMiniType<Value>,
  idName: string,
  onInternalError: (internalError: Error, id: string) => void,
): Value[] {
  return items.flatMap((item) => {
    const value = read(item, schema, idName);
    if (value instanceof Error) {
      onInternalError(value, String(item[idName]));
      return [];
    }
    return [value];
  });
}
