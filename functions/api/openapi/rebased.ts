import { DATA_KEYWORDS, MAP_KEYWORDS } from '../../core/catalogue/schema-keywords.ts';

/**
 * A schema of a catalogue as a part of another document: what it refers to in itself is there, too. In a
 * catalogue each reference is `#` or begins with `#/`.
 *
 * @param at its place in that document, such as `#/components/schemas/Name`
 * @param isMap whether its keys are names that somebody chose, not keywords
 */
export function rebased(schema: unknown, at: string, isMap = false): unknown {
  if (Array.isArray(schema)) {
    return schema.map((one) => rebased(one, at));
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (isMap) {
        return [key, rebased(value, at)];
      }
      if (key === '$ref') {
        return [key, `${at}${String(value).slice(1)}`];
      }
      return [key, DATA_KEYWORDS.includes(key) ? value : rebased(value, at, MAP_KEYWORDS.includes(key))];
    }),
  );
}
