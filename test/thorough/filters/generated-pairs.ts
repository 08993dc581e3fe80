import * as fc from 'fast-check';
import { faultOfFilter } from '../../../functions/core/filter/check-filter.ts';
import { parseExactly } from '../../../functions/core/filter/decimal.ts';
import { refusedBy } from '../../../functions/core/filter/evaluate.ts';
import type { FilteredEvent, Pattern } from '../../../functions/core/filter/pattern.ts';
import type { Pair } from '../../support/java/event-ruler/rule-by-rule.ts';

const text = fc.constantFrom('', 'us-1', 'US-1', 'eu-1', 'png', '100', 'true');
const number = fc.constantFrom(0, 1, -5.5, 100, 301.8, 1e2, 99.99, 123456.78);
const scalar = fc.oneof(text, number, fc.constantFrom(true, false, null));
const some = <Of>(one: fc.Arbitrary<Of>) => fc.array(one, { minLength: 1, maxLength: 2 });
const affix = fc.constantFrom('us-', 'U', 'eu', '1', 'G');
const affixTest = fc.oneof(
  affix,
  affix.map((same) => ({ 'equals-ignore-case': same })),
);

const leafTest = fc.oneof(
  { weight: 3, arbitrary: scalar },
  affixTest.map((prefix) => ({ prefix })),
  affixTest.map((suffix) => ({ suffix })),
  text.map((same) => ({ 'equals-ignore-case': same })),
  fc.oneof(text, number, some(text), some(number)).map((but) => ({ 'anything-but': but })),
  fc
    .tuple(fc.constantFrom('prefix', 'suffix', 'equals-ignore-case'), fc.oneof(affix, some(affix)))
    .map(([name, but]) => ({ 'anything-but': { [name]: but } })),
  fc.tuple(fc.constantFrom('<', '<=', '=', '>=', '>'), number).map((numeric) => ({ numeric })),
  fc
    .tuple(fc.constantFrom('>', '>='), number, fc.constantFrom('<', '<='), number)
    .map((numeric) => ({ numeric })),
  fc.boolean().map((exists) => ({ exists })),
);
const name = fc.constantFrom('a', 'b', 'n');
const { pattern } = fc.letrec<{ pattern: object; members: object }>((tie) => ({
  members: fc.dictionary(
    name,
    fc.oneof({ weight: 4, arbitrary: some(leafTest) }, { weight: 1, arbitrary: tie('members') }),
    { minKeys: 1, maxKeys: 2, noNullPrototype: true },
  ),
  pattern: fc.oneof(
    { weight: 4, arbitrary: tie('members') },
    fc.tuple(tie('members'), tie('members')).map((either) => ({ $or: either })),
  ),
}));
const { resource } = fc.letrec<{ resource: object; value: unknown }>((tie) => ({
  value: fc.oneof(
    { weight: 6, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(tie('resource'), { maxLength: 2 }) },
    { weight: 2, arbitrary: tie('resource') },
  ),
  resource: fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
}));

/** Filters that we take, each with an event that it looks at; the same ones each time. */
export function generatedPairs(count: number): Pair[] {
  return fc
    .sample(fc.tuple(pattern, resource), { numRuns: count, seed: 37 })
    .map(
      ([wanted, given]): Pair => [JSON.stringify({ resource: wanted }), JSON.stringify({ resource: given })],
    )
    .filter(([filter]) => faultOfFilter(JSON.parse(filter)) === undefined);
}

/** What we say of a pair. */
export const ours = ([filter, event]: Pair) =>
  String(refusedBy(JSON.parse(filter) as Pattern, parseExactly(event) as FilteredEvent) === undefined);

/** A range of one number: Event Ruler wants two numbers. */
const ONE_NUMBER = /\[">=",([^,]+),"<=",\1\]/;
/** Event Ruler misses what is absent if another object of the `$or` names the same member. */
const ABSENT_IN_OR = /^{"resource":{"\$or":.*{"exists":false}/;

/** Whether Amazon's own matcher says something else on purpose: docs/filters.md. */
export const isMeant = ([filter]: Pair, theirs: string) =>
  theirs === 'true' || theirs === 'false'
    ? theirs === 'false' && ABSENT_IN_OR.test(filter)
    : ONE_NUMBER.test(filter);
