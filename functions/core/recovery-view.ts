import * as z from 'zod/mini';
import { recoverySchema } from './recovery.ts';

export const recoveryViewSchema = z.pick(recoverySchema, {
  recovery_id: true,
  subscription_id: true,
  state: true,
  since: true,
  until: true,
  examined_count: true,
  resent_count: true,
  started_at: true,
  ended_at: true,
});

/** What a partner sees of a recovery. */
export type RecoveryView = z.infer<typeof recoveryViewSchema>;

export const recoveryView = (recovery: RecoveryView): RecoveryView => recoveryViewSchema.parse(recovery);
