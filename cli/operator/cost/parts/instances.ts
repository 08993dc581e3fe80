import { FEWEST_ENVIRONMENTS, SIDE_BY_SIDE } from '../../../../lib/constructs/functions/managed-instances.ts';
import type { Ground } from '../ground.ts';
import { eventsPerMonth, MONTH_HOURS, MONTH_SECONDS, messagesPerMonth, type Traffic } from '../traffic.ts';
import type { Usage } from '../usage.ts';
import { ENVELOPE_BYTES } from './attempting.ts';

/**
 * What an invocation takes of a core, alone and with ten records: docs/performance.md, "What a delivery
 * costs" and "CPU". Alone only the sum of both was measured.
 */
const CPU_MS = { match: { alone: 3.1, full: 3.4 }, deliver: { alone: 5.5, full: 6 } } as const;
/** Of both functions, for a message whose first attempt fails, from its first step to its last: as above. */
const FAILED_CPU_MS = 33;

/** How long an invocation takes besides waiting for a partner: docs/performance.md, "Memory of deliver". */
const OWN_MS = 30;

/**
 * Lambda keeps room for traffic to double. Source: "Scaling Lambda Managed Instances", AWS Lambda Developer
 * Guide.
 */
const BUSY_SHARE = 0.5;

/** It launches three, one for each zone. As above. */
export const FEWEST_INSTANCES = 3;
/** Of a c7g.xlarge, the smallest Graviton3 with 2 GiB for each: Lambda takes the type that it likes. */
const VCPU_OF_INSTANCE = 4;

export function instanceHours(count: number): Usage {
  return { instanceHour: count * MONTH_HOURS, instanceManagementHour: count * MONTH_HOURS };
}

/** How many instances match and deliver keep busy, each environment with a vCPU. */
export function instancesFor(traffic: Traffic, { batches }: Pick<Ground, 'batches'>): number {
  const messages = messagesPerMonth(traffic);
  const failing = (messages * traffic.failedShare) / MONTH_SECONDS;
  const environments = (name: keyof typeof CPU_MS, invocations: number, lastsMs: number, extraMs: number) => {
    const { alone, full } = CPU_MS[name];
    const perSecond = invocations / MONTH_SECONDS;
    const cpuMs = alone + ((full - alone) * (batches[name] - 1)) / 9;
    const cores = (perSecond * cpuMs + extraMs) / 1_000;
    const underWay = (perSecond * lastsMs) / 1_000 / SIDE_BY_SIDE;
    return Math.max(FEWEST_ENVIRONMENTS, Math.ceil(Math.max(cores, underWay) / BUSY_SHARE));
  };
  const vcpu =
    environments('match', eventsPerMonth(traffic) / batches.match, OWN_MS, 0) +
    environments('deliver', messages / batches.deliver, OWN_MS + traffic.partnerMs, failing * FAILED_CPU_MS);
  return Math.max(FEWEST_INSTANCES, Math.ceil(vcpu / VCPU_OF_INSTANCE));
}

/**
 * What a month of traffic takes besides on instances: those beyond the ones that are always there, and what
 * leaves through NAT gateways now because all of match does.
 *
 * @param used by match and deliver
 */
export function runningOnInstances(traffic: Traffic, ground: Ground, used: Usage): Usage {
  const sentGigabytes = (messagesPerMonth(traffic) * (traffic.bodyBytes + ENVELOPE_BYTES)) / 1e9;
  return {
    ...instanceHours(instancesFor(traffic, ground) - FEWEST_INSTANCES),
    natGigabyte: sentGigabytes + (used.logGigabyte ?? 0),
  };
}
