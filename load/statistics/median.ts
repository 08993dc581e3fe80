/**
 * The median. Of an even number of values: the mean of the middle two, rounded when all values are whole.
 *
 * @param values in any order; at least one
 */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = ((sorted[(sorted.length - 1) >> 1] ?? Number.NaN) + (sorted[sorted.length >> 1] ?? 0)) / 2;
  return sorted.every(Number.isInteger) ? Math.round(middle) : Math.round(middle * 10_000) / 10_000;
}

/**
 * Merges objects of one shape: each number becomes the median of those present. Lists of named objects are
 * merged by name; texts and other lists are taken from the first object.
 */
export function medians<T>(all: readonly T[]): T {
  const values = all.filter((one) => one !== undefined && one !== null);
  const [first] = values;
  if (values.every((one) => typeof one === 'number')) {
    return (values.length === 0 ? first : median(values)) as T;
  }
  if (Array.isArray(first)) return isNamed(first) ? (byName(values as Named[][]) as T) : first;
  if (typeof first !== 'object') return first as T;
  const records = values as Readonly<Record<string, unknown>>[];
  const names = [...new Set(records.flatMap(Object.keys))];
  return Object.fromEntries(names.map((name) => [name, medians(records.map((one) => one[name]))])) as T;
}

interface Named {
  readonly name: string;
}

function isNamed(list: readonly unknown[]): list is readonly Named[] {
  return list.every((one) => typeof one === 'object' && one !== null && 'name' in one);
}

function byName(lists: readonly (readonly Named[])[]): Named[] {
  return [...Map.groupBy(lists.flat(), ({ name }) => name).values()].map(medians);
}
