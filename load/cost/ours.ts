import type { Metered, Share } from './metered-line.ts';
import { total } from './usage.ts';

/**
 * The share of an invocation that was for some services, by its records. An invocation that names no service,
 * such as of sweep, counts in full.
 */
export function shareFor(line: Metered, isOurs: (service: string) => boolean): number {
  const all = total(line.services ?? {});
  const ours = Object.entries(line.services ?? {}).filter(([service]) => isOurs(service));
  return all === 0 ? 1 : total(Object.fromEntries(ours)) / all;
}

/** The work of a stage for some services. Of a shared batch, their share of its records counts. */
export function doneFor(lines: readonly Metered[], isOurs: (service: string) => boolean): Share[] {
  return lines.map((line) => ({ ...line, share: shareFor(line, isOurs) })).filter(({ share }) => share > 0);
}

/**
 * Targets of a delivery of 1 KB: full batches, a receiver that answers in 200 ms, warm workers. `profile`
 * prints them beside the figures.
 */
export const TARGETS = {
  calls: 0.6,
  writeUnits: 4,
  readUnits: 2,
  dollarsPerMillion: 5,
  cpuMs: 0.85,
} as const;

/** Rounds to four decimals: a hundredth of a cent, one call in ten thousand. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
