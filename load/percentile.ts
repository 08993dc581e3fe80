/**
 * The value below or at which so many of a hundred lie, by the nearest-rank method.
 *
 * @param values in any order; at least one
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}
