import * as z from 'zod/mini';

/** The environment variables that the stack sets for `stage-api`. `QUEUES` and `DELIVERY_POLICY` are JSON. */
export const STAGE_API_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'HISTORY_TABLE',
  'KEYS_TABLE',
  'AUDIT_TABLE',
  'API_TOKENS_TABLE',
  'RETRY_TIMERS_URL',
  'BUS_NAME',
  'DELIVERY_POLICY',
  'QUEUES',
] as const;
export type StageApiEnv = Record<(typeof STAGE_API_ENV)[number], string>;

const queuesSchema = z.array(
  z.object({
    url: z.string(),
    name: z.string(),
    /** The alarm about it, which leads into the runbook. */
    runbook: z.string(),
    kind: z.enum(['work', 'dead_letters']),
    /** The function that says how old its records are when it takes them. */
    worker: z.optional(z.string()),
  }),
);
/** The queues that a stage looks at. */
export type LookedAt = z.infer<typeof queuesSchema>;

export function parseQueues(json: string): LookedAt {
  return queuesSchema.parse(JSON.parse(json));
}
