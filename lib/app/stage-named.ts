import { STAGES } from '../../payhooks.config.ts';
import type { Stage } from './stage.ts';

/** @throws when there is no such stage, listing those that people deploy */
export function stageNamed(name: unknown): Stage {
  const stage = Object.values(STAGES).find((candidate) => candidate.name === name);
  if (stage === undefined) {
    const given = name === undefined ? 'no stage given' : `unknown stage ${JSON.stringify(name)}`;
    throw new Error(
      `${given}: use -c stage=NAME with one of ${Object.keys(STAGES).join(', ')} (payhooks.config.ts)`,
    );
  }
  return stage;
}
