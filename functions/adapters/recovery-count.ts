import type { WakePorts } from '../wake/ports.ts';
import type { RollCall } from './roll-call.ts';
import { recoveriesOf } from './table-keys.ts';

/** Each recovery says with each step that it is there. */
export function recoveryCount(rollCall: RollCall): WakePorts['recovering'] {
  return (serviceId) => rollCall.present(recoveriesOf(serviceId));
}
