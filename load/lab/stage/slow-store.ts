import { ExplainedError } from '../../../cli/terminal/explanation.ts';
import { delayStore } from '../../../local/slow-store.ts';
import type { Parameters } from '../scenario/parameters.ts';
import type { LabStage } from './lab-stage.ts';

/** Whether the scenario slows the store down. Its cells all use the proxy, also the one without a delay. */
export function delaysStore(parameters: Parameters): boolean {
  return 'store_delay_ms' in parameters;
}

/**
 * Delays each call to the local stack's store by this many ms.
 *
 * @throws ExplainedError when the stage has no proxy for that
 */
export function storeDelay({
  name,
  slowStoreUrl,
}: Pick<LabStage, 'name' | 'slowStoreUrl'>): (delayMs: number) => Promise<void> {
  if (name !== 'local') {
    throw new ExplainedError(
      `--store-delay-ms: only the local stack has a store that can be slowed down, not ${name}`,
    );
  }
  if (slowStoreUrl === undefined) {
    throw new ExplainedError(
      '--store-delay-ms: the local stack runs without the slow-store proxy. Start it with: npm run local -- --slow-store',
    );
  }
  return (delayMs) => delayStore(slowStoreUrl, delayMs);
}
