import type { Described } from '../operation.ts';
import type { JsonSchema } from './json-schemas.ts';

interface Link {
  readonly operationId: string;
  readonly description: string;
  /** Runtime expressions by the name of the parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Links to the operations on a new resource: those whose path takes an id that this answer is the first to
 * contain. Ids that are not in the answer come from the request.
 *
 * Source: OpenAPI 3.1.0, "Link Object".
 *
 * @param answered schema of the answer's body
 */
export function linksOf(
  { path: from }: Pick<Described, 'path'>,
  answered: JsonSchema | undefined,
  operations: readonly Described[],
): Record<string, Link> {
  const known = idsIn(from);
  const contained = Object.keys((answered?.properties ?? {}) as object);
  // The subscription that the new resource belongs to is older than it.
  const older = known.length === 0 ? [] : [...known, 'subscription_id'];
  const gained = contained.filter((name) => !older.includes(name));
  return Object.fromEntries(
    operations.flatMap(({ id, path, summary }) => {
      const needed = idsIn(path);
      return needed.some((name) => gained.includes(name)) &&
        needed.every((name) => gained.includes(name) || known.includes(name))
        ? [[id, { operationId: id, description: `${summary}.`, parameters: found(needed, gained) }]]
        : [];
    }),
  );
}

function idsIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

function found(needed: readonly string[], gained: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    needed.map((name) => [name, gained.includes(name) ? `$response.body#/${name}` : `$request.path.${name}`]),
  );
}
