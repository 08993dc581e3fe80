import { functionsOf } from '../functions.ts';
import type { Measured } from '../measured/measured.ts';
import type { Resource } from '../template.ts';

/** A stage as it stands in its templates, with what its functions were measured to use. */
export type Standing = ReturnType<typeof standingOf>;

export function standingOf(resources: readonly Resource[], measured: Measured) {
  return { resources, functions: functionsOf(resources), measured };
}
