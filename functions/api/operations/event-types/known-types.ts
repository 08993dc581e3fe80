import { type Answer, refusalOf } from '../../../core/api/answer.ts';
import { detailOf, type FieldError } from '../../../core/api/problem.ts';
import { faultOfName, faultOfPattern, matchesPattern } from '../../../core/catalogue/catalogue.ts';
import { mayTake } from '../../../core/filter/check-filter.ts';
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

/** Why a filter is refused that takes none of the event types that its subscription wants. */
export function neverTaken(
  { filter, event_types }: { readonly filter?: string | undefined; readonly event_types: readonly string[] },
  { catalogue }: Ports,
): Answer | undefined {
  const pattern = filter && JSON.parse(filter);
  const wanted = catalogue.types.filter(({ name }) => event_types.some((one) => matchesPattern(name, one)));
  return !pattern || wanted.length === 0 || wanted.some(({ name }) => mayTake(pattern, name))
    ? undefined
    : refused([
        { field: 'filter', reason: 'can match no event: it takes none of the types that event_types wants' },
      ]);
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
