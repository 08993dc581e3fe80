import type { Operation } from '../operation.ts';
import type { JsonSchema } from './json-schemas.ts';

interface Link {
  readonly operationId: string;
  readonly description: string;
  /** Runtime expressions by the name of the parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * What can be done with what has just come to be: the operations whose path takes an id that this answer tells for the first time. Ids that the
 * answer leaves out are those of the request.
 *
 * Source: OpenAPI 3.1.0, "Link Object".
 *
 * @param answered schema of the answer's body
 */
export function linksOf(
  { path: from }: Pick<Operation, 'path'>,
  answered: JsonSchema | undefined,
  operations: readonly Operation[],
): Record<string, Link> {
  const known = idsIn(from);
  const told = Object.keys((answered?.properties ?? {}) as object);
  // The subscription to which something belongs has not begun with it.
  const older = known.length === 0 ? [] : [...known, 'subscription_id'];
  const gained = told.filter((name) => !older.includes(name));
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
