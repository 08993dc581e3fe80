import type { WakePorts } from '../../../pipeline/wake/ports.ts';
import type { RollCall } from '../subscriptions/period-count.ts';
import { recoveriesOf } from '../table-keys.ts';

/** Each recovery says with each step that it is there. */
export function recoveryCount(rollCall: RollCall): WakePorts['recovering'] {
  return (serviceId) => rollCall.present(recoveriesOf(serviceId));
}
