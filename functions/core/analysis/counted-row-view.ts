import * as z from 'zod/mini';
import type { CountedRowView } from './counted-row.ts';

const count = z.int().check(z.minimum(0));

export const countedRowViewSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  since: z.string(),
  delivered: count,
  acknowledged_within_60_s: count,
  failed_attempts: count,
  exhausted: count,
  cancelled: count,
  failures: z.array(z.object({ reason: z.string(), count })),
  acknowledged: z.array(z.object({ up_to_ms: count, count })),
}) satisfies z.ZodMiniType<CountedRowView>;
