import * as fc from 'fast-check';
import type {
  CompiledSchema,
  SchemaChecks,
  Validation,
} from '../../../functions/core/catalogue/schema-check.ts';
import { validator } from '../../../lib/events/resource-schemas.ts';
import type { PublicationPlan } from './publication-plan.ts';

/** What becomes of resources that do not fit the schema of their type, and how many do not: one of this many. */
export interface ValidationPlan {
  readonly mode: Exclude<Validation, 'off'>;
  readonly oneOf: number;
}

/** Undefined: nothing is checked. */
export const validationPlan: fc.Arbitrary<ValidationPlan | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      mode: fc.constantFrom('mark' as const, 'refuse' as const),
      oneOf: fc.integer({ min: 1, max: 8 }),
    }),
  },
);

/** Where every resource that does not fit is wrong, and how. */
export const OFF_SCHEMA = '/amount: type';
const SCHEMA = { type: 'object', properties: { amount: { type: 'integer' } } };

/** Some of the events do not fit. */
export function misfitting(
  publications: readonly PublicationPlan[],
  plan: ValidationPlan | undefined,
): readonly PublicationPlan[] {
  return plan === undefined
    ? publications
    : publications.map((one, index) => (index % plan.oneOf === 0 ? { ...one, misfits: true } : one));
}

export function schemaChecksOf(plan: ValidationPlan | undefined): SchemaChecks | undefined {
  if (plan === undefined) {
    return undefined;
  }
  const schema: CompiledSchema = { validate: validator().compile(SCHEMA), names: ['amount'] };
  return { refuses: plan.mode === 'refuse', of: () => schema };
}
