import * as z from 'zod';
import type { MeteredLine } from '../../functions/telemetry/aws-meter-line.ts';
import { METERED } from '../../functions/telemetry/aws-meter-line.ts';

const counts = z.record(z.string(), z.number());

const lineSchema = z.object({
  invocation: z.number(),
  records: z.number(),
  record_size: z.number(),
  services: counts.optional(),
  memory_mib: z.number(),
  duration_ms: z.number(),
  cpu_ms: z.number(),
  event_loop_delay_ms: z.number(),
  gc_ms: z.number(),
  init_ms: z.number().optional(),
  init_cpu_ms: z.number().optional(),
  calls: counts,
  failed_calls: z.number().optional(),
  queue_requests: counts,
  events: z.number(),
  write_units: counts,
  read_units: counts,
  steps: z.array(z.object({ call: z.string(), at_ms: z.number(), took_ms: z.number() })).optional(),
  /** The function, such as `deliver`, as its logger names it. */
  service: z.string(),
});

/** The line of one invocation, with the function that wrote it. */
export type Metered = MeteredLine & { readonly service: string };

/** Undefined for any other log line. */
export function readMetered(line: string): Metered | undefined {
  return line.includes(`"${METERED}"`) ? (lineSchema.parse(JSON.parse(line)) as Metered) : undefined;
}

/** An invocation with the share of it that counts, 0 to 1. */
export type Share = Metered & { readonly share: number };
