import { STAGES } from '../../lib/stages.ts';

/** How a client of AWS finds a deployed stage: in the region that the stage says, else in that of the person's credentials. */
export function inRegionOf(stage: string): { readonly region?: string } {
  const region = Object.values(STAGES).find(({ name }) => name === stage)?.env?.region;
  return region === undefined ? {} : { region };
}
