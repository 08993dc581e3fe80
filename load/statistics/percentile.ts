import type { Percentiles } from '../results/run-result.ts';
import { sum } from './sum.ts';

/**
 * A percentile by the nearest-rank method.
 *
 * @param values in any order; at least one
 */
export function percentile(values: readonly number[], percent: number): number {
  return ranked(sorted(values), percent);
}

function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

function ranked(ascending: readonly number[], percent: number): number {
  const rank = Math.max(1, Math.ceil((percent / 100) * ascending.length));
  return ascending[rank - 1] ?? Number.NaN;
}

/** Undefined when there are no values. */
export function percentilesOf(values: readonly number[]): Percentiles | undefined {
  if (values.length === 0) return undefined;
  const ascending = sorted(values);
  return {
    count: ascending.length,
    mean: Math.round((sum(values) / values.length) * 10) / 10,
    p50: ranked(ascending, 50),
    p90: ranked(ascending, 90),
    p95: ranked(ascending, 95),
    p99: ranked(ascending, 99),
    max: ranked(ascending, 100),
  };
}
