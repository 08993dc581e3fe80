import type { EndpointCounts } from '../../../core/circuit/ports.ts';
import { subscriptionsTable as keys, slowAttemptsOf } from '../table-keys.ts';
import type { RollCall } from './period-count.ts';

/**
 * Each second, deliver workers report how many slow attempts they have under way, for the stage and per
 * subscription.
 */
export function saySlow(
  rollCall: RollCall,
  onInternalError: (error: unknown) => void,
): EndpointCounts['saySlow'] {
  return async (own) => {
    const counts = [...own];
    const sum = counts.reduce((total, [, count]) => total + count, 0);
    try {
      const [all, ...each] = await Promise.all([
        rollCall.say(keys.slowAttempts, sum),
        ...counts.map(([id, count]) => rollCall.say(slowAttemptsOf(id), count)),
      ]);
      return new Map(counts.map(([id], index) => [id, { own: each[index] as number, all }]));
    } catch (error) {
      onInternalError(error);
      return undefined;
    }
  };
}

export function slowAttempts(rollCall: RollCall): EndpointCounts['slowAttempts'] {
  return async (subscriptionId) => {
    const [own, all] = await Promise.all([
      rollCall.heard(slowAttemptsOf(subscriptionId)),
      rollCall.heard(keys.slowAttempts),
    ]);
    return { own, all };
  };
}
