import { type Check, failed, ok, warning } from '../doctor/check.ts';
import { limitsOf } from './documented-limits.ts';
import type { PlannedStage } from './planned-stage.ts';

/** In the order of the columns of docs/regions.md. */
const QUOTAS = [
  { of: 'calls of PutEvents', code: 'L-9B653E91' },
  { of: 'invocations of targets', code: 'L-5540C5E3' },
] as const;

/**
 * Whether EventBridge in the region takes the planned load by default. A publisher makes a call for each
 * event, and each event matches one rule. Beyond the first quota publishers get errors, beyond the second
 * events come late.
 */
export const busThroughput: Check<PlannedStage> = {
  name: 'bus-throughput',
  async run({ region, eventsPerSecond }) {
    const limits = limitsOf(region, 'What EventBridge takes');
    const quotas = QUOTAS.map((quota, column) => ({ ...quota, limit: limits[column] ?? 0 }));
    const seen = `EventBridge in ${region} takes ${quotas.map(({ limit, of }) => `${limit} ${of}`).join(' and ')} in a second, for ${eventsPerSecond} events`;
    const asked = quotas
      .filter(({ limit }) => limit < 2 * eventsPerSecond)
      .map(({ code }) => {
        const about = `--service-code events --quota-code ${code} --region ${region}`;
        return `Ask for more, unless you have it (aws service-quotas get-service-quota ${about}): aws service-quotas request-service-quota-increase --desired-value ${2 * eventsPerSecond} ${about}`;
      });
    if (quotas.some(({ limit }) => limit < eventsPerSecond)) {
      return failed(
        seen,
        ...asked,
        'Or publish straight into the queue (docs/publishing.md), or take another region.',
      );
    }
    return asked.length > 0 ? warning(`${seen}: little is left for a peak`, ...asked) : ok(seen);
  },
};
