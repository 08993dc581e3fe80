import type { Partner } from '../cell.ts';
import { WELL } from '../scenario.ts';
import type { Source } from './traffic.ts';

/** Healthy partners, each of its own service, and the sources of their events. */
export function healthyPartners(count: number): { healthy: Partner[]; sources: Source[] } {
  const healthy = Array.from(
    { length: count },
    (_, index): Partner => ({
      serviceId: `service${index}`,
      subscriptionId: `sub_${index}`,
      group: 'healthy',
      endpoint: { kind: 'answering', takes: WELL },
    }),
  );
  return { healthy, sources: healthy.map(({ serviceId }) => ({ serviceId, groups: ['healthy'] })) };
}

/** The same partners, all healthy. */
export function allWell(partners: readonly Partner[]): Partner[] {
  return partners.map((one) => ({ ...one, group: 'healthy', endpoint: { kind: 'answering', takes: WELL } }));
}
