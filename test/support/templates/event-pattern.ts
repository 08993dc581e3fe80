type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Rule = { [key: string]: Rule } | readonly unknown[];

/**
 * Whether an EventBridge event pattern matches an event, for the operators that our rules use. A list matches
 * when one of its elements does; an object or an empty list counts as absent where a value is expected.
 * Source: "Comparison operators for use in event patterns", Amazon EventBridge User Guide.
 */
export function matchesEventPattern(pattern: Rule, event: Json | undefined): boolean {
  if (Array.isArray(pattern)) {
    const values = leavesOf(event);
    return pattern.some((operator) => {
      const exists = existence(operator);
      return exists === undefined
        ? values.some((value) => satisfies(value, operator))
        : exists === values.length > 0;
    });
  }
  const object = isObject(event) ? event : {};
  return Object.entries(pattern).every(([key, nested]) => matchesEventPattern(nested as Rule, object[key]));
}

function leavesOf(value: Json | undefined): Json[] {
  if (value === undefined || isObject(value)) {
    return [];
  }
  return Array.isArray(value) ? value.flatMap(leavesOf) : [value];
}

function satisfies(value: Json, operator: unknown): boolean {
  if (typeof operator !== 'object' || operator === null) {
    return value === operator;
  }
  const { suffix, 'anything-but': anythingBut } = operator as {
    suffix?: string;
    'anything-but'?: { suffix: string[] } | string[];
  };
  if (suffix !== undefined) {
    return typeof value === 'string' && value.endsWith(suffix);
  }
  if (anythingBut !== undefined) {
    return Array.isArray(anythingBut)
      ? !anythingBut.includes(value as string)
      : typeof value !== 'string' || !anythingBut.suffix.some((end) => value.endsWith(end));
  }
  throw new Error(`this matcher does not know ${JSON.stringify(operator)}`);
}

function existence(operator: unknown): boolean | undefined {
  return typeof operator === 'object' ? (operator as { exists?: boolean } | null)?.exists : undefined;
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
