import type { Group } from './run-result.ts';

/** Delivered per second at full concurrency; without such a measurement, over the whole time. */
export function rateOf({ sustained_per_second, delivered_per_second }: Group): number {
  return sustained_per_second ?? delivered_per_second;
}
