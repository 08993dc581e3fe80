import type { WakePorts } from '../../../pipeline/wake/ports.ts';
import type { RollCall } from '../subscriptions/period-count.ts';
import { subscriptionsTable as keys } from '../table-keys.ts';

/** Each drain says with each tick that it is there. */
export function drainCount(rollCall: RollCall): WakePorts['drains'] {
  return () => rollCall.present(keys.drains);
}
