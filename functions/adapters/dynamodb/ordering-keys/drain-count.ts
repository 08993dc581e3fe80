import type { EndpointCounts } from '../../../core/circuit/ports.ts';
import type { RollCall } from '../subscriptions/period-count.ts';
import { subscriptionsTable as keys } from '../table-keys.ts';

/** Counts draining circuits: each adds itself with every timer. */
export function drainCount(rollCall: RollCall): EndpointCounts['drains'] {
  return () => rollCall.present(keys.drains);
}
