import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExplainedError } from '../../local/explained-error.ts';
import type { LabStage } from './lab-stage.ts';

/** Makes each call to the tables slower by so many ms; 0: as it is. */
export type SetStoreDelay = (delayMs: number) => Promise<void>;

interface Control {
  slowStoreControl(url: string): { behave(rules: object[]): Promise<void> };
}

const CONTROL = join(import.meta.dirname, '../slow-store/control.ts');

/**
 * The store of the stage, to be slowed down by the proxy that the local stack may have before it.
 *
 * @throws ExplainedError where there is none
 */
export async function storeDelay({
  name,
  slowStoreUrl,
}: Pick<LabStage, 'name' | 'slowStoreUrl'>): Promise<SetStoreDelay> {
  if (name !== 'local') {
    throw new ExplainedError(
      `--store-delay-ms: the store of ${name} cannot be slowed down; only that of the local stack`,
    );
  }
  if (slowStoreUrl === undefined || !existsSync(CONTROL)) {
    throw new ExplainedError(
      '--store-delay-ms: the local stack has no store that can be slowed down. Start it with: npm run local -- --slow-store',
    );
  }
  const { slowStoreControl } = (await import(CONTROL)) as Control;
  const control = slowStoreControl(slowStoreUrl);
  return (delay_ms) => control.behave(delay_ms === 0 ? [] : [{ service: 'dynamodb', delay_ms }]);
}
