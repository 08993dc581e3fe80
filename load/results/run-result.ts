import type { Outcome } from './outcome.ts';

/** In ms. Absent when there is nothing to measure. */
export interface Percentiles {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** How long deliveries took, in ms. Each part is absent when nothing was measured. */
export interface Latencies {
  /** From intake to the start of the first attempt, without the ordering wait and the time held. */
  readonly time_to_send?: Percentiles | undefined;
  /**
   * Ordering wait: time in the queue behind an earlier message of the same payment. Covers only messages that
   * waited.
   */
  readonly behind_earlier?: Percentiles | undefined;
  /**
   * Time held in the keys table before the first attempt: behind a failed message, an open circuit, a pause
   * or a rate limit.
   */
  readonly held?: Percentiles | undefined;
  /** Duration of attempts: the receiver's share. */
  readonly attempt?: Percentiles | undefined;
  /** Time to acknowledge: from intake to success. */
  readonly whole?: Percentiles | undefined;
}

/**
 * One point of the charts over time: what happened in the `second_width` seconds from `at_seconds` on, or the
 * state at their end.
 */
export interface Point {
  readonly at_seconds: number;
  /** Events put on the bus. */
  readonly sent: number;
  /** Messages that a receiver accepted for the first time. */
  readonly delivered: number;
  /** Attempts that failed. */
  readonly failed_attempts: number;
  /** Messages sent but not yet accepted, at the end. */
  readonly backlog: number;
  /** Of messages first attempted in this interval; null when there were none. */
  readonly time_to_send_p50: number | null;
  readonly time_to_send_p99: number | null;
  readonly time_to_send_max: number | null;
}

/** An interval of a run that the charts mark, in seconds from the first event. */
export interface Period {
  /** The affected partner group. Absent: all partners, as in the baseline. */
  readonly group?: string | undefined;
  /** `answers 503`, `never answers` */
  readonly what: string;
  readonly from_seconds: number;
  readonly to_seconds: number;
}

/** The work of our own code. */
export interface Work {
  /** CPU of match and deliver per delivery, in ms. */
  readonly cpu_ms_per_delivery: number;
  readonly event_loop_delay_ms_p99: number;
  /** 0 to 1. */
  readonly gc_share: number;
  /** Cold starts in the measured time, by function. */
  readonly started_workers: Readonly<Record<string, number>>;
}

/** Deliveries reported together: those of a partner group, or one cell of a matrix. */
export interface Group {
  readonly name: string;
  /** Cells only: the value on each axis, such as { body_bytes: 1024, delay_ms: 30, concurrency: 100 }. */
  readonly place?: Readonly<Record<string, number>> | undefined;
  readonly expected: number;
  readonly delivered: number;
  readonly delivered_per_second: number;
  /** Cells only: the rate at full concurrency, without ramp-up and drain. */
  readonly sustained_per_second?: number | undefined;
  readonly failed_attempts: number;
  readonly latencies: Latencies;
  /** Cells only. */
  readonly empty?: Percentiles | undefined;
  readonly work?: Work | undefined;
  /** Cells only: list price of a million deliveries, in US dollars. */
  readonly per_million?: number | undefined;
  /** Runs with a baseline: latencies while all partners were well, without the first seconds. */
  readonly before?: Latencies | undefined;
  /** Latencies of everything sent after the baseline. */
  readonly during?: Latencies | undefined;
  /** Groups without trouble of their own: p99 of time to send, `during` divided by `before`. */
  readonly isolation?: number | undefined;
}

/** What AWS would charge for a million deliveries, at list prices in US dollars. */
export interface Cost {
  readonly prices_as_of: string;
  readonly region: string;
  readonly per_million: number;
  /** By service: `lambda`, `sqs`, `dynamodb`, `events`, `logs`. */
  readonly by_service: Readonly<Record<string, number>>;
  /** The largest items, such as `dynamodb: write units of History`, largest first. */
  readonly lines: readonly { readonly name: string; readonly per_million: number }[];
  readonly calls_per_delivery: number;
  /** By kind, `sqs:SendMessageBatch`. */
  readonly calls: Readonly<Record<string, number>>;
  readonly write_units_per_delivery: number;
  readonly read_units_per_delivery: number;
  /** Average records per batch of match and deliver, ten at most. Fuller batches make a delivery cheaper. */
  readonly records_per_batch: Readonly<Record<string, number>>;
}

export interface Promises {
  readonly expected: number;
  readonly delivered: number;
  /** Matched by a subscription, and neither accepted nor ended for a reason. */
  readonly lost: number;
  readonly order_violations: number;
  /** Accepted again although every attempt on record succeeded: duplicates without a reason. */
  readonly repeats: number;
  readonly invalid_signatures: number;
  /** Ended without success, by `state/reason`. */
  readonly ended: Readonly<Record<string, number>>;
}

/** The measurements of one repetition. Instants are ISO 8601 in UTC with milliseconds. */
export interface Repetition {
  readonly started_at: string;
  /** From the first event to the last accepted message. */
  readonly seconds: number;
  /** Ended early by Ctrl-C: the numbers cover what had happened by then. */
  readonly is_interrupted: boolean;
  readonly promises: Promises;
  /** Why the run proves nothing; empty when it does prove something. */
  readonly gaps: readonly string[];
  readonly offered_per_second: number;
  readonly delivered_per_second: number;
  readonly latencies: Latencies;
  /** By outcome: `delivered`, or the class of the failure. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly second_width: number;
  readonly points: readonly Point[];
  /** Scenarios whose partners change. */
  readonly periods?: readonly Period[] | undefined;
  readonly groups: readonly Group[];
  readonly cost?: Cost | undefined;
  readonly work?: Work | undefined;
  /**
   * Latency of the empty pipeline: from intake to the start of the second function for events that no code
   * handles. Time to send cannot be lower on this machine.
   */
  readonly empty?: Percentiles | undefined;
  /** Notes for readers of the numbers. */
  readonly remarks: readonly string[];
}

/** One figure across repetitions. */
export interface Spread {
  readonly name: string;
  readonly unit: 'ms' | 'a second' | 'times' | 'dollars' | '';
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** In order of the repetitions; null where not measured. */
  readonly each: readonly (number | null)[];
}

/**
 * The stored result of one run. In a repeated run every number is the median, except promises and attempts,
 * which add up all repetitions.
 */
export interface RunResult extends Repetition {
  readonly v: 1;
  /** From promises and gaps, for whoever reads the file: `judgeRun`. */
  readonly outcome?: Outcome | undefined;
  readonly reasons?: readonly string[] | undefined;
  readonly run_id: string;
  readonly scenario: string;
  readonly title: string;
  /** The published experiment that the scenario reproduces, and what it reported. */
  readonly source: { readonly name: string; readonly saw: readonly string[] };
  /** The command that repeats the run. */
  readonly command: string;
  readonly stage: string;
  readonly machine: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Repeated runs only. */
  readonly spread?: readonly Spread[] | undefined;
  readonly repetitions?: readonly Repetition[] | undefined;
}
