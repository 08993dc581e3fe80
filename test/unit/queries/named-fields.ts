/**
 * Keywords of the Logs Insights query language. Source: "CloudWatch Logs Insights language query syntax",
 * Amazon CloudWatch Logs User Guide.
 */
const WORDS = new Set(
  'filter stats fields display sort limit parse as by and or not in like asc desc'.split(' '),
);

/** Fields that a query defines itself: with `as`, and with named groups in the pattern of a `parse`. */
function made(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/\bas (\w+)|\(\?<(\w+)>/g)].map(([, alias, group]) => (alias ?? group) as string),
  );
}

/**
 * The fields that a query reads: every name that is not a keyword, a function, a number or a field of its
 * own.
 */
export function namedFields(text: string): string[] {
  const known = made(text);
  const bare = text.replaceAll(/"[^"]*"|\/(?:[^/\\\n]|\\.)+\/(?=\s|$|\))/g, ' ');
  const names = [...bare.matchAll(/(?<![\w.@])@?[A-Za-z_][\w.]*(?![\w.]*\()/g)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !WORDS.has(name) && !known.has(name));
}

/** The log codes that a query looks for. */
export function namedCodes(text: string): string[] {
  return [...text.matchAll(/message (?:= ("[^"]*")|in \[([^\]]*)\])/g)].flatMap(([, one, several]) =>
    [...(one ?? several ?? '').matchAll(/"([^"]*)"/g)].map(([, code]) => code as string),
  );
}
