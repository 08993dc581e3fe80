import { instant } from '../text/instant.ts';
import { mergedTimes, NO_TIMES, percentileOf, type TimeHistogram } from './time-histogram.ts';

/** What is counted for a subscription. */
export const FIGURES = [
  'delivered',
  'acknowledged_within_60_s',
  'failed_attempts',
  'exhausted',
  'cancelled',
] as const;
export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

export const NOTHING: Figures = {
  delivered: 0,
  acknowledged_within_60_s: 0,
  failed_attempts: 0,
  exhausted: 0,
  cancelled: 0,
};

/** Who acknowledges within this time has been told in time: the share that analysts and alarms ask for. */
export const IN_TIME_MS = 60_000;

export function sum(one: Figures, other: Figures): Figures {
  return {
    delivered: one.delivered + other.delivered,
    acknowledged_within_60_s: one.acknowledged_within_60_s + other.acknowledged_within_60_s,
    failed_attempts: one.failed_attempts + other.failed_attempts,
    exhausted: one.exhausted + other.exhausted,
    cancelled: one.cancelled + other.cancelled,
  };
}

/**
 * Failed attempts by reason: the failure class, or the status code if the endpoint answered with one that is
 * not 2xx; `unknown` of what a record tells at once with a later attempt.
 */
export type Failures = Readonly<Record<string, number>>;

/** What is counted beside the figures. */
export interface Distributions {
  /** Times to send of messages that were attempted for the first time. */
  readonly times: TimeHistogram;
  /** From the intake of events to the end of the attempts that were acknowledged. */
  readonly acknowledged: TimeHistogram;
  readonly failures: Failures;
}

export const NO_DISTRIBUTIONS: Distributions = { times: NO_TIMES, acknowledged: NO_TIMES, failures: {} };

export function together(one: Distributions, other: Distributions): Distributions {
  return {
    times: mergedTimes(one.times, other.times),
    acknowledged: mergedTimes(one.acknowledged, other.acknowledged),
    failures: added(one.failures, other.failures),
  };
}

function added(one: Failures, other: Failures): Failures {
  const all: Record<string, number> = { ...one };
  for (const [reason, count] of Object.entries(other)) {
    all[reason] = (all[reason] ?? 0) + count;
  }
  return all;
}

/** What is stored of an hour that began then, in UTC. */
export type Hour = { readonly since: string } & Figures & Distributions;

/** What is told of an hour or a day that began then, in UTC. */
export type Period = {
  readonly since: string;
  /** Absent where nothing was attempted for the first time. */
  readonly time_to_send_p50_ms?: number;
  readonly time_to_send_p95_ms?: number;
  /** Absent where nothing was acknowledged. */
  readonly time_to_acknowledge_p50_ms?: number;
  readonly time_to_acknowledge_p95_ms?: number;
} & Figures;

const HOUR_MS = 3_600_000;
const LENGTHS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;
export type PeriodLength = keyof typeof LENGTHS_MS;

/** How many periods of each length are shown, including the current one. */
export const PERIODS_SHOWN = { hour: 48, day: 30 } as const;

/** The start of the hour in which something happened, in UTC. */
export function hourOf(at: string): string {
  return instant(beginningOf(Date.parse(at), 'hour'));
}

/** The start of the first period that is shown now. */
export function shownSince(length: PeriodLength, nowMs: number): string {
  return instant(beginningOf(nowMs, length) - (PERIODS_SHOWN[length] - 1) * LENGTHS_MS[length]);
}

/** The periods that are shown now, oldest first, including empty ones. `hours`: those that have counts. */
export function periodsOf(hours: readonly Hour[], length: PeriodLength, nowMs: number): Period[] {
  const counted = Map.groupBy(hours, ({ since }) => beginningOf(Date.parse(since), length));
  const firstMs = Date.parse(shownSince(length, nowMs));
  return Array.from({ length: PERIODS_SHOWN[length] }, (_, index) => {
    const sinceMs = firstMs + index * LENGTHS_MS[length];
    const within = counted.get(sinceMs) ?? [];
    const { times, acknowledged } = within.reduce<Distributions>(together, NO_DISTRIBUTIONS);
    return {
      since: instant(sinceMs),
      ...within.reduce<Figures>(sum, NOTHING),
      ...percentilesOf('time_to_send', times),
      ...percentilesOf('time_to_acknowledge', acknowledged),
    };
  });
}

function percentilesOf(name: string, times: TimeHistogram): Record<string, number> {
  const [p50, p95] = [percentileOf(times, 0.5), percentileOf(times, 0.95)];
  return p50 === undefined || p95 === undefined ? {} : { [`${name}_p50_ms`]: p50, [`${name}_p95_ms`]: p95 };
}

function beginningOf(ms: number, length: PeriodLength): number {
  return ms - (ms % LENGTHS_MS[length]);
}
