import { STAGES } from '../../payhooks.config.ts';

/** Where AWS clients find a deployed stage: in its own region, else in that of the user's credentials. */
export function inRegionOf(stage: string): { readonly region?: string } {
  const region = Object.values(STAGES).find(({ name }) => name === stage)?.env?.region;
  return region === undefined ? {} : { region };
}
