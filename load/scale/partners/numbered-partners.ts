import type { Partner } from '../cell.ts';
import { HEALTHY } from '../scenario.ts';
import type { Source } from './traffic.ts';

/** Partners, each of its own service, and healthy unless described otherwise. */
export function numberedPartners(
  count: number,
  describe: (index: number) => Partial<Partner> = () => ({}),
): Partner[] {
  return Array.from({ length: count }, (_, index) => ({
    serviceId: `service${index}`,
    subscriptionId: `sub_${index}`,
    group: 'healthy',
    endpoint: HEALTHY,
    ...describe(index),
  }));
}

/** The same partners, all healthy. */
export function allWell(partners: readonly Partner[]): Partner[] {
  return partners.map((one) => ({ ...one, group: 'healthy', endpoint: HEALTHY }));
}

/** The sources of partners that each have their own service. */
export function sourcesOf(partners: readonly Partner[]): Source[] {
  return partners.map(({ serviceId, group }) => ({ serviceId, groups: [group] }));
}
