import { STAGES } from '../../payhooks.config.ts';
import type { ChosenDeployment } from './chosen-deployment.ts';

/** Where AWS clients find it: in the region that the stage names, else in that of the user's credentials. */
export function inRegionOf({ by, name }: Pick<ChosenDeployment, 'by' | 'name'>): {
  readonly region?: string;
} {
  const stage = by === 'stage' ? Object.values(STAGES).find((known) => known.name === name) : undefined;
  return stage?.env === undefined ? {} : { region: stage.env.region };
}
