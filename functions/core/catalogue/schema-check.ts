import { namesOn, stepOf } from '../text/rfc-6901.ts';

/**
 * Whether resources are checked by the schema of their event type: not at all; those that do not fit are
 * delivered with a mark; or are dead-lettered.
 */
export const VALIDATIONS = ['off', 'mark', 'refuse'] as const;
export type Validation = (typeof VALIDATIONS)[number];

/** A schema that was compiled when the deployment was synthesized. */
export interface CompiledSchema {
  /** Leaves what it did not like in `errors`. It never changes the value. */
  readonly validate: {
    (value: unknown): boolean;
    errors?: readonly SchemaError[] | null;
  };
  /** All names of members in the schema that may be shown. */
  readonly names: readonly string[];
}

/** As ajv says it. */
interface SchemaError {
  /** Where in the value, as a JSON Pointer. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: { readonly missingProperty?: string };
}

export interface SchemaChecks {
  /** Whether events that do not fit are dead-lettered. Otherwise they are marked. */
  readonly refuses: boolean;
  /** The schema of the event type; undefined: it has none. */
  of(eventType: string): CompiledSchema | undefined;
}

/** Nobody reads on. In characters. */
const MAX_PLACE = 300;

/**
 * Where a resource does not fit, and by which keyword: `/lines/0/total: type`. Undefined if it fits. It goes
 * to logs and dead letters, so it has nothing that the schema does not say itself: no value, and for a name
 * that the publisher chose a `*`. Numbers are compared as doubles.
 */
export function offSchema(resource: unknown, schema: CompiledSchema | undefined): string | undefined {
  if (schema === undefined || schema.validate(resource)) {
    return undefined;
  }
  // The last one is about all before it. But `if` only says that `then` or `else`, which stands before it, failed.
  const error = schema.validate.errors?.findLast(({ keyword }) => keyword !== 'if');
  if (error === undefined) {
    return ': unknown';
  }
  const { instancePath, keyword, params } = error;
  const missing = params.missingProperty === undefined ? [] : [params.missingProperty];
  const steps = [...namesOn(instancePath), ...missing];
  return `${placeOf(steps, resource, schema.names).slice(0, MAX_PLACE)}: ${keyword}`;
}

function placeOf(steps: readonly string[], resource: unknown, names: readonly string[]): string {
  let at: unknown = resource;
  return steps
    .map((step) => {
      const shown = Array.isArray(at) || names.includes(step) ? stepOf(step) : '*';
      at = (at as Record<string, unknown> | undefined)?.[step];
      return `/${shown}`;
    })
    .join('');
}
