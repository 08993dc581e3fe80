import type { Percentiles } from '../results/run-result.ts';

/**
 * The value below or at which so many of a hundred lie, by the nearest-rank method.
 *
 * @param values in any order; at least one
 */
export function percentile(values: readonly number[], percent: number): number {
  return ranked(
    [...values].sort((a, b) => a - b),
    percent,
  );
}

function ranked(sorted: readonly number[], percent: number): number {
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** Undefined when there was nothing to measure. */
export function percentilesOf(values: readonly number[]): Percentiles | undefined {
  if (values.length === 0) {
    return undefined;
  }
  const sorted = [...values].sort((a, b) => a - b);
  return {
    count: sorted.length,
    mean: Math.round((sorted.reduce((sum, value) => sum + value, 0) / sorted.length) * 10) / 10,
    p50: ranked(sorted, 50),
    p90: ranked(sorted, 90),
    p95: ranked(sorted, 95),
    p99: ranked(sorted, 99),
    max: ranked(sorted, 100),
  };
}
