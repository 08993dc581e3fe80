import type { World } from '../../world.ts';
import type { Check } from '../evidence/backlog.ts';

/**
 * Where nothing of ours fails, workers return no record to its queue: what waits behind it, of other payments
 * too, would wait for seconds. Judged by what the queues handed out again.
 */
export const nothingReturned: Check = ({ plan, invocations }: World) => {
  const { faults, subscriptions } = plan;
  const isFailing =
    faults.untilMs > 0 ||
    subscriptions.some((one) => one.secretlessUntilMs > 0) ||
    invocations.some(({ ending }) => ending === 'crashed');
  return isFailing
    ? []
    : invocations.flatMap(({ name, records }) =>
        records
          .filter(({ receiveCount }) => receiveCount > 1)
          .map(({ id }) => `${name} got ${id} again, though nothing had failed`),
      );
};
