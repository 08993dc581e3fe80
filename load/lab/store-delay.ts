import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExplainedError } from '../../local/explained-error.ts';
import type { LabStage } from './lab-stage.ts';

/** Makes each call to the store slower by so many ms; 0: as it is. */
export type SetStoreDelay = (delayMs: number) => Promise<void>;

const MODULE = join(import.meta.dirname, '../slow-store/control.ts');

/**
 * The store of the stage, to be slowed down: by a proxy between functions and emulator.
 *
 * @throws ExplainedError where there is none
 */
export async function storeDelay(stage: Pick<LabStage, 'name'>): Promise<SetStoreDelay> {
  if (stage.name !== 'local') {
    throw new ExplainedError(
      `--store-delay-ms: the store of ${stage.name} cannot be slowed down; only that of the local stack`,
    );
  }
  if (!existsSync(MODULE)) {
    throw new ExplainedError(
      '--store-delay-ms: there is no proxy that slows the store down (load/slow-store)',
    );
  }
  const { setStoreDelay } = (await import(MODULE)) as { setStoreDelay: SetStoreDelay };
  return setStoreDelay;
}
