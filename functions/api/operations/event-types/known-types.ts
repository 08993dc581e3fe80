import { type Answer, refusalOf } from '../../../core/api/answer.ts';
import { detailOf, type FieldError } from '../../../core/api/problem.ts';
import { faultOfName, faultOfPattern } from '../../../core/catalogue/catalogue.ts';
import type { ApiPorts } from '../../api-request.ts';

type Ports = Pick<ApiPorts, 'catalogue'>;

/**
 * Why patterns for which no type exists are refused; undefined when each matches one.
 *
 * @param kept patterns that the subscription has already: they stay, though their types may be gone
 */
export function unknownPatterns(
  patterns: readonly string[],
  { catalogue }: Ports,
  kept: readonly string[] = [],
): Answer | undefined {
  return refused(
    patterns.flatMap((pattern, index) => {
      const reason = kept.includes(pattern) ? undefined : faultOfPattern(pattern, catalogue);
      return reason === undefined ? [] : [{ field: `event_types.${index}`, reason }];
    }),
  );
}

/** Why a name that no type has is refused; undefined when one has it. */
export function unknownName(field: string, name: string, { catalogue }: Ports): Answer | undefined {
  const reason = faultOfName(name, catalogue);
  return refused(reason === undefined ? [] : [{ field, reason }]);
}

function refused(fieldErrors: readonly FieldError[]): Answer | undefined {
  return fieldErrors.length === 0
    ? undefined
    : refusalOf(fieldErrors, 'malformed-request', detailOf(fieldErrors, 'field'));
}
