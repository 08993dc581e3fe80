import { partnerGroups } from '../../../lab/partners/partner-groups.ts';
import { givenOptions, loadOptions } from '../../../lab/scenario/load-options.ts';
import { readScenario } from '../../../lab/scenario/scenario.ts';

/** What a run of a scenario with these options would do. */
export async function planned(name: string, ...options: string[]) {
  const scenario = await readScenario(name);
  const { parameters } = loadOptions(givenOptions([name, ...options]), scenario);
  return { scenario, parameters, groups: partnerGroups(scenario, parameters) };
}
