import type { EventType } from './event-type.ts';

/** The event types of a deployment. */
export interface Catalogue {
  /** In the order in which people read them. */
  readonly types: readonly EventType[];
  /** The type with this name or alias. */
  typeOf(nameOrAlias: string): EventType | undefined;
}

/** @param types no two of them have a name or alias in common */
export function catalogueOf(types: readonly EventType[]): Catalogue {
  const known = new Map(
    types.flatMap((type) => [type.name, ...(type.aliases ?? [])].map((name) => [name, type])),
  );
  return { types, typeOf: (nameOrAlias) => known.get(nameOrAlias) };
}

/** Lists longer than this help nobody who has mistyped a name. */
const MAX_LISTED = 12;

/**
 * Why a pattern is of no use: it matches no type that there is. Ends a sentence that begins with the name of
 * the field.
 */
export function faultOfPattern(pattern: string, { types }: Catalogue): string | undefined {
  return types.some(({ name }) => matchesPattern(name, pattern))
    ? undefined
    : `must be ${anyOf(types)}, or a prefix of one of them followed by *`;
}

/** Why a name is of no use: no type has it. Ends a sentence that begins with the name of the field. */
export function faultOfName(name: string, { types }: Catalogue): string | undefined {
  return types.some((type) => type.name === name) ? undefined : `must be ${anyOf(types)}`;
}

function anyOf(types: readonly EventType[]): string {
  return types.length > MAX_LISTED
    ? `one of the ${types.length} names that GET /v1/event-types lists`
    : `one of ${types.map(({ name }) => name).join(', ')}`;
}

/** Whether the pattern matches the event type of this name. */
export function matchesPattern(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
