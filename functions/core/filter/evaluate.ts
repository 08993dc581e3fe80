import { compareDecimals, type Decimal, DigitsOnly } from './decimal.ts';
import {
  type Bound,
  type FilteredEvent,
  type Leaf,
  type Operator,
  OR,
  type Pattern,
  type Test,
} from './pattern.ts';

/** Names from the outside in, such as `resource`, `amount`. */
export type Path = readonly string[];

/**
 * The member that refuses the event: of those that do, the first in the filter's order. Undefined: the filter
 * takes it. In a list, one element has to match all that the filter says of it.
 */
export function refusedBy(filter: Pattern, event: FilteredEvent): Path | undefined {
  return refusing(filter, event);
}

function refusing(pattern: Pattern, node: unknown): Path | undefined {
  if (Array.isArray(node) && node.length > 0) {
    let first: Path | undefined;
    for (const element of node) {
      const path = refusing(pattern, element);
      if (path === undefined) {
        return undefined;
      }
      first ??= path;
    }
    return first;
  }
  for (const name of Object.keys(pattern)) {
    const wanted = pattern[name] as Pattern[string];
    const path = Array.isArray(wanted)
      ? name === OR
        ? wanted.some((one) => refusing(one, node) === undefined)
          ? undefined
          : []
        : matchesLeaf(wanted as Leaf, memberOf(node, name))
          ? undefined
          : []
      : refusing(wanted as Pattern, memberOf(node, name));
    if (path !== undefined) {
      return [name, ...path];
    }
  }
  return undefined;
}

/** Own members only: `constructor` is what the event says, if anything. */
function memberOf(node: unknown, name: string): unknown {
  return typeof node === 'object' &&
    node !== null &&
    !(node instanceof DigitsOnly) &&
    Object.hasOwn(node, name)
    ? (node as Record<string, unknown>)[name]
    : undefined;
}

/** What is no value is absent: an object, an empty list. */
export function matchesLeaf(leaf: Leaf, node: unknown): boolean {
  return hasValue(node)
    ? leaf.some((test) => matchesSome(test, node))
    : leaf.some((test) => isOperator(test) && test.exists === false);
}

function hasValue(node: unknown): boolean {
  return Array.isArray(node)
    ? node.some(hasValue)
    : node !== undefined && (typeof node !== 'object' || node === null || node instanceof DigitsOnly);
}

/** Of a list, one element. */
function matchesSome(test: Test, node: unknown): boolean {
  return Array.isArray(node)
    ? node.some((element) => matchesSome(test, element))
    : hasValue(node) && (isOperator(test) ? operates(test, node as Value) : equals(test, node as Value));
}

type Value = string | boolean | null | Decimal;

export function isOperator(test: Test): test is Operator {
  return typeof test === 'object' && test !== null;
}

function equals(wanted: Exclude<Test, Operator>, value: Value): boolean {
  return typeof wanted === 'number'
    ? isDecimal(value) && compareDecimals(value, wanted) === 0
    : value === wanted;
}

function operates(operator: Operator, value: Value): boolean {
  const { prefix, suffix, numeric, exists } = operator;
  const but = operator['anything-but'];
  const same = operator['equals-ignore-case'];
  if (exists !== undefined) {
    return exists;
  }
  if (numeric !== undefined) {
    return isDecimal(value) && inRange(numeric, value);
  }
  if (but !== undefined) {
    return !isExcepted(but, value);
  }
  if (typeof value !== 'string') {
    return false;
  }
  if (same !== undefined) {
    return value.toLowerCase() === same.toLowerCase();
  }
  return prefix === undefined
    ? affixed('endsWith', value, suffix as NonNullable<typeof suffix>)
    : affixed('startsWith', value, prefix);
}

function affixed(
  how: 'startsWith' | 'endsWith',
  value: string,
  wanted: NonNullable<Operator['prefix']>,
): boolean {
  return typeof wanted === 'string'
    ? value[how](wanted)
    : value.toLowerCase()[how](wanted['equals-ignore-case'].toLowerCase());
}

function isExcepted(but: NonNullable<Operator['anything-but']>, value: Value): boolean {
  if (typeof but !== 'object' || Array.isArray(but)) {
    return [but as string | number | readonly (string | number)[]].flat().some((one) => equals(one, value));
  }
  if (typeof value !== 'string') {
    return false;
  }
  const excepted = but as Exclude<typeof but, string | number | readonly unknown[]>;
  const { prefix = [], suffix = [], 'equals-ignore-case': same = [] } = excepted;
  const all = <Of>(some: Of | readonly Of[]): Of[] => [some].flat() as Of[];
  return (
    all(prefix).some((one) => value.startsWith(one)) ||
    all(suffix).some((one) => value.endsWith(one)) ||
    all(same).some((one) => value.toLowerCase() === one.toLowerCase())
  );
}

function isDecimal(value: Value): value is Decimal {
  return typeof value === 'number' || value instanceof DigitsOnly;
}

function inRange(range: NonNullable<Operator['numeric']>, value: Decimal): boolean {
  for (let index = 0; index < range.length; index += 2) {
    const compared = compareDecimals(value, limitAt(range, index));
    if (!holds(range[index] as Bound, compared)) {
      return false;
    }
  }
  return true;
}

/** The number after the comparison at this index. */
export function limitAt(range: NonNullable<Operator['numeric']>, index: number): Decimal {
  const limit = range[index + 1] as string | number;
  return typeof limit === 'string' ? new DigitsOnly(limit) : limit;
}

function holds(bound: Bound, compared: number): boolean {
  return compared < 0 ? bound[0] === '<' : compared > 0 ? bound[0] === '>' : bound.endsWith('=');
}
