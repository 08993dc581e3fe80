import type { Partner } from '../cell.ts';
import { WELL } from '../scenario.ts';
import type { Source } from './traffic.ts';

/** So many partners who are well, each a service of its own, and what tells them of payments. */
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

/** The same partners on a good day. */
export function allWell(partners: readonly Partner[]): Partner[] {
  return partners.map((one) => ({ ...one, group: 'healthy', endpoint: { kind: 'answering', takes: WELL } }));
}
