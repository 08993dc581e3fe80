import { compareDecimals, type Decimal, DigitsOnly, isExact, isNumberText } from './decimal.ts';
import { isOperator, limitAt, matchesLeaf, type Path } from './evaluate.ts';
import { FIELDS, type Leaf, type Operator, OR, type Pattern, type Test } from './pattern.ts';

/** Enough for all that people write; EventBridge allows as many. */
export const MAX_FILTER_BYTES = 2_048;
const MAX_FILTER_LEVELS = 10;
const MAX_FILTER_VALUES = 100;

/** Why a filter is of no use, and where. The reason ends a sentence that begins with the place. */
export interface FilterFault {
  readonly path: Path;
  readonly reason: string;
}

/**
 * What is wrong with a value that should be a filter, or why no event can match it. Never throws.
 *
 * @param value parsed by `parseExactly`, so that digits that get lost are seen
 */
export function faultOfFilter(value: unknown): FilterFault | undefined {
  if (value === undefined) {
    return { path: [], reason: 'is missing' };
  }
  if (!isObject(value)) {
    return { path: [], reason: 'must be an object such as {"resource":{"amount":[{"numeric":[">",100]}]}}' };
  }
  const count = { values: 0 };
  return faultOfPattern(value, [], 1, count) ?? faultOfSize(value, count);
}

/** Only now: what is nested too deep for anything has been refused. */
function faultOfSize(value: object, { values }: { readonly values: number }): FilterFault | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > MAX_FILTER_BYTES
    ? { path: [], reason: `must have at most ${MAX_FILTER_BYTES} bytes as JSON without blanks, not ${bytes}` }
    : values > MAX_FILTER_VALUES
      ? { path: [], reason: `must have at most ${MAX_FILTER_VALUES} values, not ${values}` }
      : undefined;
}

/** Whether an event of this type could match, whatever else it says. */
export function mayTake(filter: Pattern, eventType: string): boolean {
  return Object.keys(filter).every((name) =>
    name === OR
      ? (filter[OR] as readonly Pattern[]).some((one) => mayTake(one, eventType))
      : name !== 'event_type' || matchesLeaf(filter[name] as Leaf, eventType),
  );
}

type Known = (typeof FIELDS)[keyof typeof FIELDS];

function faultOfPattern(
  pattern: Readonly<Record<string, unknown>>,
  path: Path,
  level: number,
  count: { values: number },
): FilterFault | undefined {
  if (level > MAX_FILTER_LEVELS) {
    return { path, reason: `must be nested at most ${MAX_FILTER_LEVELS} levels deep` };
  }
  const names = Object.keys(pattern);
  if (names.length === 0) {
    return { path, reason: 'must not be empty' };
  }
  const isEnvelope = path.every((name) => name === OR);
  for (const name of names) {
    const own = [...path, name];
    const wanted = pattern[name];
    const fault =
      name === OR
        ? faultOfOr(wanted, own, level, count)
        : !isEnvelope
          ? faultOfMember(wanted, own, level, count)
          : name === 'resource'
            ? isObject(wanted)
              ? faultOfPattern(wanted, own, level + 1, count)
              : { path: own, reason: 'must be an object: the resource of an event is one' }
            : !Object.hasOwn(FIELDS, name)
              ? { path: own, reason: `is not in an event; there are ${known().join(', ')} and resource` }
              : Array.isArray(wanted)
                ? (faultOfLeaf(wanted, own, count) ??
                  faultOfKind(wanted, own, FIELDS[name as keyof typeof FIELDS]))
                : { path: own, reason: 'must be a list of the values to take' };
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
}

const known = () => Object.keys(FIELDS);

function faultOfMember(wanted: unknown, path: Path, level: number, count: { values: number }) {
  return isObject(wanted)
    ? faultOfPattern(wanted, path, level + 1, count)
    : Array.isArray(wanted)
      ? faultOfLeaf(wanted, path, count)
      : { path, reason: 'must be a list of the values to take, or an object' };
}

function faultOfOr(wanted: unknown, path: Path, level: number, count: { values: number }) {
  if (!Array.isArray(wanted) || wanted.length < 2 || !wanted.every(isObject)) {
    return { path, reason: 'must be a list of at least two objects' };
  }
  for (const one of wanted) {
    const fault = faultOfPattern(one, path, level + 1, count);
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
}

function faultOfLeaf(
  leaf: readonly unknown[],
  path: Path,
  count: { values: number },
): FilterFault | undefined {
  count.values += leaf.length;
  const reason =
    leaf.length === 0 ? 'must not be empty' : leaf.map(faultOfTest).find((one) => one !== undefined);
  return reason === undefined ? undefined : { path, reason };
}

/** Which values of a member that every event has, of one kind, can be met at all. */
function faultOfKind(leaf: Leaf, path: Path, kind: Known): FilterFault | undefined {
  const canMeet = (test: Test) =>
    !isOperator(test)
      ? typeof test === (kind === 'text' ? 'string' : 'number')
      : test.exists !== undefined
        ? // An event without a number has no sequence.
          test.exists || kind === 'number'
        : 'anything-but' in test || (test.numeric !== undefined) === (kind === 'number');
  return leaf.some(canMeet)
    ? undefined
    : { path, reason: `can match no event: its value is always a ${kind}` };
}

const OPERATORS: Readonly<Record<keyof Operator, (wanted: unknown) => string | undefined>> = {
  prefix: (wanted) => unless(isText(wanted), 'prefix takes a text, or {"equals-ignore-case": text}'),
  suffix: (wanted) => unless(isText(wanted), 'suffix takes a text, or {"equals-ignore-case": text}'),
  'equals-ignore-case': (wanted) => unless(isString(wanted), 'equals-ignore-case takes a text'),
  'anything-but': faultOfException,
  numeric: faultOfRange,
  exists: (wanted) => unless(typeof wanted === 'boolean', 'exists takes true or false'),
};

function faultOfTest(test: unknown): string | undefined {
  if (!isObject(test)) {
    return isNumber(test)
      ? faultOfNumber(test)
      : unless(!Array.isArray(test), 'must be a list of texts, numbers, true, false, null and comparisons');
  }
  const [name, ...more] = Object.keys(test);
  return name === undefined || more.length > 0 || !Object.hasOwn(OPERATORS, name)
    ? `takes one comparison in each object: ${Object.keys(OPERATORS).join(', ')}`
    : OPERATORS[name as keyof Operator](test[name]);
}

function faultOfException(wanted: unknown): string | undefined {
  if (isObject(wanted)) {
    const [name = '', ...more] = Object.keys(wanted);
    return unless(
      more.length === 0 &&
        ['prefix', 'suffix', 'equals-ignore-case'].includes(name) &&
        isSome(wanted[name], isString),
      'anything-but takes {"prefix": …}, {"suffix": …} or {"equals-ignore-case": …} with a text or texts',
    );
  }
  return isSome(wanted, isNumber)
    ? [wanted]
        .flat()
        .map((one) => faultOfNumber(one as Decimal))
        .find((one) => one !== undefined)
    : unless(
        isSome(wanted, isString),
        'anything-but takes texts or numbers, not both, or a comparison of texts',
      );
}

function faultOfNumber(number: Decimal): string | undefined {
  return unless(
    typeof number === 'number' && Number.isFinite(number) && isExact(number),
    'numbers have at most 15 digits; longer ones as text: {"numeric": ["=", "9007199254740993"]}',
  );
}

const RANGE = 'numeric takes one comparison such as [">", 100], or two such as [">=", 100, "<", 200]';

function faultOfRange(range: unknown): string | undefined {
  if (!Array.isArray(range) || (range.length !== 2 && range.length !== 4)) {
    return RANGE;
  }
  const [lower, low, upper, high] = range;
  const areBounds =
    range.length === 2
      ? ['<', '<=', '=', '>=', '>'].includes(lower)
      : ['>', '>='].includes(lower) && ['<', '<='].includes(upper);
  const limits = range.length === 2 ? [low] : [low, high];
  if (!areBounds || !limits.every((limit) => isNumber(limit) || (isString(limit) && isNumberText(limit)))) {
    return RANGE;
  }
  const fault = limits.map((limit) => (isNumber(limit) ? faultOfNumber(limit) : undefined)).find(Boolean);
  if (fault !== undefined || range.length === 2) {
    return fault;
  }
  const compared = compareDecimals(limitAt(range, 0), limitAt(range, 2));
  return unless(
    compared < 0 || (compared === 0 && lower === '>=' && upper === '<='),
    `can match no event: no number is ${lower} ${low} and ${upper} ${high}`,
  );
}

function isText(value: unknown): boolean {
  return (
    isString(value) ||
    (isObject(value) &&
      Object.keys(value).join() === 'equals-ignore-case' &&
      isString(value['equals-ignore-case']))
  );
}

function isSome(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(is) : is(value);
}

const isString = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown): value is Decimal =>
  typeof value === 'number' || value instanceof DigitsOnly;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof DigitsOnly)
  );
}

const unless = (isRight: boolean, reason: string) => (isRight ? undefined : reason);
