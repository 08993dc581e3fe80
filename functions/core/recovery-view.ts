import * as z from 'zod/mini';
import { recoverySchema } from './recovery.ts';

const viewSchema = z.pick(recoverySchema, {
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
export type RecoveryView = z.infer<typeof viewSchema>;

export const recoveryView = (recovery: RecoveryView): RecoveryView => viewSchema.parse(recovery);
