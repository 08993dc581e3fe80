import type { Deployed } from '../functions.ts';
import type { Measured } from '../measured/measured.ts';
import type { Resource } from '../template.ts';

/** A stage as it stands in its templates, with what its functions were measured to use. */
export interface Standing {
  readonly resources: readonly Resource[];
  readonly functions: ReadonlyMap<string, Deployed>;
  readonly measured: Measured;
}
