import * as z from 'zod';
import { RECOVERY_TARGETS } from './targets.ts';

/** In ms; of nothing at all there are none. */
export const percentilesSchema = z.object({
  count: z.int(),
  mean: z.number(),
  p50: z.number(),
  p90: z.number(),
  p95: z.number(),
  p99: z.number(),
  max: z.number(),
});
export type Percentiles = z.infer<typeof percentilesSchema>;

/** How long deliveries took, in ms; absent where there was nothing to measure. */
export const latenciesSchema = z.object({
  /** From admission to the start of the first attempt, without what the message waited behind an earlier one and what it was held. */
  time_to_send: percentilesSchema.optional(),
  /** What messages that waited for their turn waited in the queue behind an earlier one of their payment, before they were held. Runs of before this was told apart have it in `time_to_send`. */
  behind_earlier: percentilesSchema.optional(),
  /** What messages were held in the table before their first attempt: behind an earlier one that had failed, a circuit, a pause, a rate limit. */
  held: percentilesSchema.optional(),
  /** The receiver's share: what attempts took. */
  attempt: percentilesSchema.optional(),
  /** From admission to success. */
  whole: percentilesSchema.optional(),
});
export type Latencies = z.infer<typeof latenciesSchema>;

/** One point of the charts over time: what happened in the `second_width` seconds from `at_seconds` on, or how it stood at their end. */
export const pointSchema = z.object({
  at_seconds: z.number(),
  /** Events put on the bus. */
  sent: z.int(),
  /** Messages that a receiver accepted for the first time. */
  delivered: z.int(),
  /** Attempts that failed. */
  failed_attempts: z.int(),
  /** Messages sent and not yet accepted, at the end. */
  backlog: z.int(),
  /** Of the messages first attempted in this time; null when there were none. */
  time_to_send_p50: z.number().nullable(),
  time_to_send_p99: z.number().nullable(),
  time_to_send_max: z.number().nullable(),
});
export type Point = z.infer<typeof pointSchema>;

/** A time of a run in which something was the matter, in seconds from its first event; charts mark it. */
export const periodSchema = z.object({
  /** Of these partners; absent: of all, such as the baseline, in which all are well. */
  group: z.string().optional(),
  /** `answers 503`, `never answers` */
  what: z.string(),
  from_seconds: z.number(),
  to_seconds: z.number(),
});
export type Period = z.infer<typeof periodSchema>;

/** How hard our own code worked. */
export const workSchema = z.object({
  /** CPU of match and deliver for one delivery, in ms. */
  cpu_ms_per_delivery: z.number(),
  event_loop_delay_ms_p99: z.number(),
  /** 0 to 1. */
  gc_share: z.number(),
  /** Workers whose start was in it, by function. */
  started_workers: z.record(z.string(), z.int()).optional(),
});
export type Work = z.infer<typeof workSchema>;

const amountSchema = z.object({ bytes_per_delivery: z.int(), per_million: z.number() });
const besideSchema = z.object({ stored_month: amountSchema.optional(), egress: amountSchema.optional() });

/** How partners got over their trouble. `others` are the messages that their endpoints do not refuse for ever, and that wait behind none of those. */
export const recoverySchema = z.object({
  /** Messages that are refused for ever, or wait behind such a one of their payment. */
  refused: z.int(),
  others: z.int(),
  others_delivered: z.int(),
  /** When the last of the others was accepted, in ms after the last event; 0: before it. Absent while one of them is not. */
  all_after_ms: z.number().optional(),
  /** Share of the others that was accepted before the last event, 0 to 1. */
  delivered_meanwhile: z.number(),
  /** Of the others that were sent in the last ten seconds: from admission to the first attempt, what they were held included, in ms. */
  last_seconds: percentilesSchema.optional(),
  /** How the endpoints' circuits stood in the end: how many in each state. */
  circuits: z.record(z.string(), z.int()),
  /** How often they opened, all endpoints together. */
  opened: z.int(),
  /** Of an endpoint that was down and came back: when the first of what waited then was accepted, in ms after that. */
  found_after_ms: z.number().optional(),
  /** And at which rate nine tenths of it went out from then on. */
  drain_per_second: z.number().optional(),
  /** The median of the last seconds, and that rate, to those of the partners they are compared with. */
  time_to_send_ratio: z.number().optional(),
  drain_ratio: z.number().optional(),
  /** What these partners are held against; empty: nothing. */
  targets: z.array(z.enum(RECOVERY_TARGETS)),
});
export type Recovery = z.infer<typeof recoverySchema>;

/** Deliveries that belong together, such as those of the healthy partners, or one cell of a matrix. */
export const groupSchema = z.object({
  name: z.string(),
  /** Of a cell: where on each axis it lies, such as { body_bytes: 1024, delay_ms: 30, concurrency: 100 }. */
  place: z.record(z.string(), z.number()).optional(),
  expected: z.int(),
  delivered: z.int(),
  delivered_per_second: z.number(),
  /** Of a cell: while all of it was under way, without its first seconds and what was left when all was sent. */
  sustained_per_second: z.number().optional(),
  failed_attempts: z.int(),
  latencies: latenciesSchema,
  /** Sent to it and not yet accepted, at the end of each point of the run; absent where there is one group only. */
  backlog: z.array(z.int()).optional(),
  /** What the API said that waits for it, at so many seconds of the run; it counts to 1,000. */
  waiting: z.array(z.object({ at_seconds: z.number(), count: z.int() })).optional(),
  /** Of a cell. */
  empty: percentilesSchema.optional(),
  work: workSchema.optional(),
  /** Of a cell: list price of a million deliveries, in US dollars. */
  per_million: z.number().optional(),
  /** Of a cell: what stands beside that. */
  beside: besideSchema.optional(),
  /** Of a run with a baseline: what deliveries took while all partners were well. Its first seconds are left out. */
  before: latenciesSchema.optional(),
  /** The same of all that was sent from then on. */
  during: latenciesSchema.optional(),
  /** Of partners that were well all the time: the 99th percentile of time to send, during to before. */
  isolation: z.number().optional(),
  /** Of a scenario that is about partners in trouble of their own. */
  recovery: recoverySchema.optional(),
});
export type Group = z.infer<typeof groupSchema>;

/** What AWS would charge, at list price in US dollars for a million deliveries. */
export const costSchema = z.object({
  prices_as_of: z.string(),
  region: z.string(),
  per_million: z.number(),
  /** By service: `lambda`, `sqs`, `dynamodb`, `events`, `logs`. */
  by_service: z.record(z.string(), z.number()),
  /** The largest lines, such as `dynamodb: write units of History`, the largest first. */
  lines: z.array(z.object({ name: z.string(), per_million: z.number() })),
  calls_per_delivery: z.number(),
  /** By kind, `sqs:SendMessageBatch`. */
  calls: z.record(z.string(), z.number()),
  write_units_per_delivery: z.number(),
  read_units_per_delivery: z.number(),
  /** How full the batches of match and deliver were, ten at most: what a delivery costs depends on it. */
  records_per_batch: z.record(z.string(), z.number()).optional(),
  /** What stands beside the price and is not in it: a month of what is on record, and what left for the partners. */
  beside: besideSchema.optional(),
  /** Invocations of the same time for services of others, such as the partners of the run before, by function: they are not in the price. */
  others: z.record(z.string(), z.int()).optional(),
});
export type Cost = z.infer<typeof costSchema>;

const promisesSchema = z.object({
  expected: z.int(),
  delivered: z.int(),
  /** Sent, matched by a subscription, and neither accepted nor ended for a reason. */
  lost: z.int(),
  order_violations: z.int(),
  /** Accepted again though the history shows no failed and no unrecorded attempt. */
  repeats: z.int(),
  invalid_signatures: z.int(),
  /** Neither accepted nor ended, as the endpoint refuses their payment for ever; each is on record. Absent from runs of before this was told apart. */
  refused: z.int().optional(),
  /** Ended without success for a reason, by `state/reason`. */
  ended: z.record(z.string(), z.int()),
});

/** What is measured of one repetition of a run. Instants are ISO 8601 in UTC with milliseconds. */
export const repetitionSchema = z.object({
  started_at: z.string(),
  /** From the first event to the last acceptance. */
  seconds: z.number(),
  /** Ctrl-C ended it early: the numbers are of what there was. */
  is_interrupted: z.boolean(),
  promises: promisesSchema,
  offered_per_second: z.number(),
  delivered_per_second: z.number(),
  latencies: latenciesSchema,
  /** By outcome: `delivered`, or the class of the failure. */
  attempts: z.record(z.string(), z.int()),
  second_width: z.number(),
  points: z.array(pointSchema),
  /** Of a scenario whose partners change. */
  periods: z.array(periodSchema).optional(),
  groups: z.array(groupSchema),
  cost: costSchema.optional(),
  work: workSchema.optional(),
  /** From admission to the start of the second function, of events with which nobody does anything: below it time to send cannot come on this machine. */
  empty: percentilesSchema.optional(),
  /** Of a scenario that looks for how much goes through at most: the cell in which most did. */
  best: z.object({ cell: z.string(), per_second: z.number() }).optional(),
  /** What somebody should know who reads the numbers. */
  remarks: z.array(z.string()),
});
export type Repetition = z.infer<typeof repetitionSchema>;

/** One figure of all repetitions. */
export const spreadSchema = z.object({
  name: z.string(),
  unit: z.enum(['ms', 'a second', 'times', 'dollars', '']),
  median: z.number(),
  least: z.number(),
  most: z.number(),
  /** In the order of the repetitions; null where it was not measured. */
  each: z.array(z.number().nullable()),
});
export type Spread = z.infer<typeof spreadSchema>;

/** The numbers of one run: what the report shows and what two runs are compared by. Of a repeated run each is the median, but promises and attempts are those of all repetitions. */
export const runResultSchema = repetitionSchema.extend({
  v: z.literal(1),
  run_id: z.string(),
  scenario: z.string(),
  title: z.string(),
  /** The published experiment that it reproduces, and what was seen there. */
  source: z.object({ name: z.string(), saw: z.array(z.string()) }),
  /** As it can be typed again. */
  command: z.string(),
  stage: z.string(),
  machine: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  /** Of a repeated run. */
  spread: z.array(spreadSchema).optional(),
  repetitions: z.array(repetitionSchema).optional(),
});
export type RunResult = z.infer<typeof runResultSchema>;
