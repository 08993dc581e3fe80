import * as z from 'zod/mini';
import { WATCHED_QUEUES, type WatchedQueue } from './watched-queues.ts';

/**
 * The environment variables that the stack sets for `stage-api`. `QUEUES` and `DELIVERY_POLICY` are JSON.
 * Lambda takes 4,096 bytes in all, so `QUEUES` has no more than the names.
 */
export const STAGE_API_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'HISTORY_TABLE',
  'STATISTICS_TABLE',
  'ORDERING_KEYS_TABLE',
  'AUDIT_TABLE',
  'API_TOKENS_TABLE',
  'RETRY_TIMERS_URL',
  'BUS_NAME',
  'DELIVERY_POLICY',
  'QUEUES',
  'STAGE',
  'ACCOUNT',
] as const;
export type StageApiEnv = Record<(typeof STAGE_API_ENV)[number], string>;

const queuesSchema = z.partialRecord(
  z.enum(Object.keys(WATCHED_QUEUES) as [WatchedQueue, ...WatchedQueue[]]),
  z.string(),
);

/** The names of the stage's queues, by the alarm about each. */
export function parseQueues(json: string): Readonly<Partial<Record<WatchedQueue, string>>> {
  return queuesSchema.parse(JSON.parse(json));
}
