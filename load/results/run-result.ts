import * as z from 'zod';
import { OUTCOMES } from './outcome.ts';

/** In ms. Absent when there is nothing to measure. */
const percentilesSchema = z.object({
  count: z.int(),
  mean: z.number(),
  p50: z.number(),
  p90: z.number(),
  p95: z.number(),
  p99: z.number(),
  max: z.number(),
});
export type Percentiles = z.infer<typeof percentilesSchema>;

/** How long deliveries took, in ms. Each part is absent when nothing was measured. */
const latenciesSchema = z.object({
  /** From intake to the start of the first attempt, without the ordering wait and the time held. */
  time_to_send: percentilesSchema.optional(),
  /**
   * Ordering wait: time in the queue behind an earlier message of the same payment. Covers only messages that
   * waited.
   */
  behind_earlier: percentilesSchema.optional(),
  /**
   * Time held in the keys table before the first attempt: behind a failed message, an open circuit, a pause
   * or a rate limit.
   */
  held: percentilesSchema.optional(),
  /** Duration of attempts: the receiver's share. */
  attempt: percentilesSchema.optional(),
  /** Time to acknowledge: from intake to success. */
  whole: percentilesSchema.optional(),
});
export type Latencies = z.infer<typeof latenciesSchema>;

/**
 * One point of the charts over time: what happened in the `second_width` seconds from `at_seconds` on, or the
 * state at their end.
 */
const pointSchema = z.object({
  at_seconds: z.number(),
  /** Events put on the bus. */
  sent: z.int(),
  /** Messages that a receiver accepted for the first time. */
  delivered: z.int(),
  /** Attempts that failed. */
  failed_attempts: z.int(),
  /** Messages sent but not yet accepted, at the end. */
  backlog: z.int(),
  /** Of messages first attempted in this interval; null when there were none. */
  time_to_send_p50: z.number().nullable(),
  time_to_send_p99: z.number().nullable(),
  time_to_send_max: z.number().nullable(),
});
export type Point = z.infer<typeof pointSchema>;

/** An interval of a run that the charts mark, in seconds from the first event. */
const periodSchema = z.object({
  /** The affected partner group. Absent: all partners, as in the baseline. */
  group: z.string().optional(),
  /** `answers 503`, `never answers` */
  what: z.string(),
  from_seconds: z.number(),
  to_seconds: z.number(),
});
export type Period = z.infer<typeof periodSchema>;

/** The work of our own code. */
const workSchema = z.object({
  /** CPU of match and deliver per delivery, in ms. */
  cpu_ms_per_delivery: z.number(),
  event_loop_delay_ms_p99: z.number(),
  /** 0 to 1. */
  gc_share: z.number(),
  /** Cold starts in the measured time, by function. */
  started_workers: z.record(z.string(), z.int()),
});

/** Deliveries reported together: those of a partner group, or one cell of a matrix. */
const groupSchema = z.object({
  name: z.string(),
  /** Cells only: the value on each axis, such as { body_bytes: 1024, delay_ms: 30, concurrency: 100 }. */
  place: z.record(z.string(), z.number()).optional(),
  expected: z.int(),
  delivered: z.int(),
  delivered_per_second: z.number(),
  /** Cells only: the rate at full concurrency, without ramp-up and drain. */
  sustained_per_second: z.number().optional(),
  failed_attempts: z.int(),
  latencies: latenciesSchema,
  /** Cells only. */
  empty: percentilesSchema.optional(),
  work: workSchema.optional(),
  /** Cells only: list price of a million deliveries, in US dollars. */
  per_million: z.number().optional(),
  /** Runs with a baseline: latencies while all partners were well, without the first seconds. */
  before: latenciesSchema.optional(),
  /** Latencies of everything sent after the baseline. */
  during: latenciesSchema.optional(),
  /** Groups without trouble of their own: p99 of time to send, `during` divided by `before`. */
  isolation: z.number().optional(),
});
export type Group = z.infer<typeof groupSchema>;

/** What AWS would charge for a million deliveries, at list prices in US dollars. */
const costSchema = z.object({
  prices_as_of: z.string(),
  region: z.string(),
  per_million: z.number(),
  /** By service: `lambda`, `sqs`, `dynamodb`, `events`, `logs`. */
  by_service: z.record(z.string(), z.number()),
  /** The largest items, such as `dynamodb: write units of History`, largest first. */
  lines: z.array(z.object({ name: z.string(), per_million: z.number() })),
  calls_per_delivery: z.number(),
  /** By kind, `sqs:SendMessageBatch`. */
  calls: z.record(z.string(), z.number()),
  write_units_per_delivery: z.number(),
  read_units_per_delivery: z.number(),
  /** Average records per batch of match and deliver, ten at most. Fuller batches make a delivery cheaper. */
  records_per_batch: z.record(z.string(), z.number()),
});
export type Cost = z.infer<typeof costSchema>;

const promisesSchema = z.object({
  expected: z.int(),
  delivered: z.int(),
  /** Matched by a subscription, and neither accepted nor ended for a reason. */
  lost: z.int(),
  order_violations: z.int(),
  /** Accepted again although every attempt on record succeeded: duplicates without a reason. */
  repeats: z.int(),
  invalid_signatures: z.int(),
  /** Ended without success, by `state/reason`. */
  ended: z.record(z.string(), z.int()),
});

/** The measurements of one repetition. Instants are ISO 8601 in UTC with milliseconds. */
export const repetitionSchema = z.object({
  started_at: z.string(),
  /** From the first event to the last accepted message. */
  seconds: z.number(),
  /** Ended early by Ctrl-C: the numbers cover what had happened by then. */
  is_interrupted: z.boolean(),
  promises: promisesSchema,
  /** Why the run proves nothing; empty when it does prove something. */
  gaps: z.array(z.string()).default([]),
  offered_per_second: z.number(),
  delivered_per_second: z.number(),
  latencies: latenciesSchema,
  /** By outcome: `delivered`, or the class of the failure. */
  attempts: z.record(z.string(), z.int()),
  second_width: z.number(),
  points: z.array(pointSchema),
  /** Scenarios whose partners change. */
  periods: z.array(periodSchema).optional(),
  groups: z.array(groupSchema),
  cost: costSchema.optional(),
  work: workSchema.optional(),
  /**
   * Latency of the empty pipeline: from intake to the start of the second function for events that no code
   * handles. Time to send cannot be lower on this machine.
   */
  empty: percentilesSchema.optional(),
  /** Notes for readers of the numbers. */
  remarks: z.array(z.string()),
});
export type Repetition = z.infer<typeof repetitionSchema>;

/** One figure across repetitions. */
const spreadSchema = z.object({
  name: z.string(),
  unit: z.enum(['ms', 'a second', 'times', 'dollars', '']),
  median: z.number(),
  least: z.number(),
  most: z.number(),
  /** In order of the repetitions; null where not measured. */
  each: z.array(z.number().nullable()),
});
export type Spread = z.infer<typeof spreadSchema>;

/**
 * The stored result of one run. In a repeated run every number is the median, except promises and attempts,
 * which add up all repetitions.
 */
export const runResultSchema = repetitionSchema.extend({
  v: z.literal(1),
  /** From promises and gaps, for whoever reads the file: `judgeRun`. */
  outcome: z.enum(OUTCOMES).optional(),
  reasons: z.array(z.string()).readonly().optional(),
  run_id: z.string(),
  scenario: z.string(),
  title: z.string(),
  /** The published experiment that the scenario reproduces, and what it reported. */
  source: z.object({ name: z.string(), saw: z.array(z.string()) }),
  /** The command that repeats the run. */
  command: z.string(),
  stage: z.string(),
  machine: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  /** Repeated runs only. */
  spread: z.array(spreadSchema).optional(),
  repetitions: z.array(repetitionSchema).optional(),
});
export type RunResult = z.infer<typeof runResultSchema>;
