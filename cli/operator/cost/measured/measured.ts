import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { PriceName } from '../../../../lib/prices.ts';
import { PROJECT } from '../../../../lib/project-paths.ts';
import { times, type Usage } from '../usage.ts';

const USED_NAMES = [
  'customEvent',
  'fifoRequest',
  'standardRequest',
  'lambdaRequest',
  'lambdaGbSecond',
  'writeUnit',
  'readUnit',
  'logGigabyte',
] as const satisfies readonly PriceName[];

const functionSchema = z.object({
  invocations: z.number().positive(),
  records: z.number(),
  /** What is left out was not used. */
  used: z.partialRecord(z.enum(USED_NAMES), z.number()),
});

const courseSchema = z.object({
  deliveries: z.number().positive(),
  /** The profile's own figure: dollars for a million deliveries, at the prices of the reports. */
  perMillion: z.number(),
  /** The rest is for each delivery. */
  egressBytes: z.number(),
  storedBytes: z.number(),
  indexedBytes: z.number(),
  /** Write units of the table of the history itself: they grow with the body. */
  historyUnits: z.number(),
  logGzipShare: z.number(),
  functions: z.record(z.string(), functionSchema),
});

const measuredSchema = z.object({
  command: z.string(),
  on: z.string(),
  machine: z.string(),
  /** What to know before relying on it. */
  note: z.string().optional(),
  partnerMs: z.number(),
  bodyBytes: z.number(),
  /**
   * Deliveries in full batches, each alone in its batch, and each alone whose first attempt fails; and
   * sweeps, which deliver nothing.
   */
  courses: z.object({ full: courseSchema, alone: courseSchema, parked: courseSchema, sweep: courseSchema }),
});

/** What the functions use, measured by `npm run load -- profile cost --json`. */
export type Measured = z.infer<typeof measuredSchema>;
export type MeasuredCourse = Measured['courses']['full'];
export type MeasuredFunction = MeasuredCourse['functions'][string];

export function readMeasured(): Measured {
  const file = path.join(PROJECT, 'cli/operator/cost/measured/measured.json');
  return measuredSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** What one invocation of a function has used; nothing where it was not measured. */
export function usedByOne(measured: MeasuredFunction | undefined): Usage {
  return measured === undefined ? {} : times(1 / measured.invocations, measured.used);
}
