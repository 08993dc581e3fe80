/** JavaScript's JSON of numbers as they were written; in Node since 22, in TypeScript's library not yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parse = JSON.parse as unknown as (text: string, reviver: Reviver) => unknown;

/** Only in such texts can there be a number that a double does not hold as written: of sixteen digits or more, or with an exponent. */
const MAY_LOSE = /\d{16}|\d[eE]/;

/**
 * Parses JSON so that `JSON.stringify` writes every number as it came. One that would change is an opaque value in between.
 *
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  return MAY_LOSE.test(text) ? parse(text, keepSource) : JSON.parse(text);
}

function keepSource(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && String(value) !== source
    ? rawJSON(source)
    : value;
}
