import { sum } from '../statistics/sum.ts';
import type { Recovery } from './run-result.ts';
import { type RecoveryTarget, RUN_TARGETS } from './targets.ts';

/** A target in words, and whether the endpoint reached it. */
export interface TargetCheck {
  readonly what: string;
  readonly isReached: boolean;
}

/**
 * Targets whose figure was not measured, such as the drain rate of an endpoint that was never down, are left
 * out.
 */
export function checkTargets(recovery: Recovery): TargetCheck[] {
  return recovery.targets.flatMap((target) => judgements[target](recovery) ?? []);
}

const { drainRate, timeToSend, deliveredMeanwhile } = RUN_TARGETS.recovery;

const judgements: Readonly<Record<RecoveryTarget, (recovery: Recovery) => TargetCheck | undefined>> = {
  drain_rate: ({ drain_ratio: ratio }) =>
    ratio === undefined
      ? undefined
      : { what: `drain rate ×${ratio} (at least ×${drainRate})`, isReached: ratio >= drainRate },
  time_to_send: ({ time_to_send_ratio: ratio }) =>
    ratio === undefined
      ? undefined
      : { what: `p50 of the last 10 s ×${ratio} (at most ×${timeToSend})`, isReached: ratio <= timeToSend },
  delivered_meanwhile: ({ delivered_meanwhile: share }) => ({
    what: `${percent(share)} delivered while events arrived (at least ${percent(deliveredMeanwhile)})`,
    isReached: share >= deliveredMeanwhile,
  }),
  closed: ({ circuits }) => ({
    what: `circuit ${circuitStates(circuits)} (must be closed)`,
    isReached: Object.keys(circuits).every((state) => state === 'closed'),
  }),
  opens_once: ({ opened, circuits }) => ({
    what: `opened ${times(opened)} (at most once per endpoint)`,
    isReached: opened <= sum(Object.values(circuits)),
  }),
  stays_closed: ({ opened }) => ({
    what: `opened ${times(opened)} (must be never)`,
    isReached: opened === 0,
  }),
};

/** `closed`, or `1 closed, 1 open` when they differ. */
export function circuitStates(states: Recovery['circuits']): string {
  const [first, ...more] = Object.entries(states);
  if (first === undefined) return 'unknown';
  return more.length === 0
    ? first[0]
    : [first, ...more].map(([state, count]) => `${count} ${state}`).join(', ');
}

export function times(count: number): string {
  return count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
