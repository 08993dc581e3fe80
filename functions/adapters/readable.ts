import type * as z from 'zod/mini';
import type { Item } from './table-batch.ts';

/** What an item says, or what is wrong with it: without its values, of which one may be a secret. */
export function read<Value>(item: Item, schema: z.ZodMiniType<Value>, idName: string): Value | Error {
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
  onFault: (fault: Error, id: string) => void,
): Value[] {
  return items.flatMap((item) => {
    const value = read(item, schema, idName);
    if (value instanceof Error) {
      onFault(value, String(item[idName]));
      return [];
    }
    return [value];
  });
}
