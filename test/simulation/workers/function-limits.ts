import { visibilitySeconds, WORKER_SECONDS } from '../../../lib/worker-times.ts';
import { STAGES } from '../../../payhooks.config.ts';

type Worker = keyof typeof WORKER_SECONDS;

/** The timeout after which Lambda kills a worker. */
export const TIMEOUT_MS: Readonly<Record<Worker, number>> = {
  match: WORKER_SECONDS.match * 1_000,
  deliver: WORKER_SECONDS.deliver * 1_000,
  wake: WORKER_SECONDS.wake * 1_000,
};

/** The visibility timeout of each worker's queue, with the numbers of `prod`. */
export const VISIBILITY_MS: Readonly<Record<Worker, number>> = {
  match: visibilityMs('match'),
  deliver: visibilityMs('deliver'),
  wake: visibilityMs('wake'),
};

function visibilityMs(worker: Worker): number {
  return visibilitySeconds(WORKER_SECONDS[worker], STAGES.prod) * 1_000;
}
