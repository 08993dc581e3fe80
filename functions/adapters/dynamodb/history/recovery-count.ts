import type { CountRecoveries } from '../../../core/message/ports.ts';
import type { RollCall } from '../subscriptions/period-count.ts';
import { recoveriesOf } from '../table-keys.ts';

/** Counts running recoveries: each adds itself with every step. */
export function recoveryCount(rollCall: RollCall): CountRecoveries {
  return (serviceId) => rollCall.present(recoveriesOf(serviceId));
}
