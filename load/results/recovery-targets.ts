import type { Recovery } from './run-result.ts';
import { type RecoveryTarget, RUN_TARGETS } from './targets.ts';

/** A target of partners that were in trouble, in words, and whether they reached it. */
export interface Deferred {
  readonly what: string;
  readonly isReached: boolean;
}

/** What partners are held against. What was not measured, such as the drain of an endpoint that never was down, is not among it. */
export function heldAgainst(recovery: Recovery): Deferred[] {
  return recovery.targets.flatMap((target) => judgements[target](recovery) ?? []);
}

const { drainRate, timeToSend, deliveredMeanwhile } = RUN_TARGETS.recovery;

const judgements: Readonly<Record<RecoveryTarget, (recovery: Recovery) => Deferred | undefined>> = {
  drain_rate: ({ drain_ratio: ratio }) =>
    ratio === undefined
      ? undefined
      : { what: `drain rate ×${ratio} (×${drainRate} at least)`, isReached: ratio >= drainRate },
  time_to_send: ({ time_to_send_ratio: ratio }) =>
    ratio === undefined
      ? undefined
      : { what: `p50 of the last 10 s ×${ratio} (×${timeToSend} at most)`, isReached: ratio <= timeToSend },
  delivered_meanwhile: ({ delivered_meanwhile: share }) => ({
    what: `${percent(share)} delivered while events came (${percent(deliveredMeanwhile)} at least)`,
    isReached: share >= deliveredMeanwhile,
  }),
  closed: ({ circuits }) => ({
    what: `circuit ${circuitsIn(circuits)} (closed)`,
    isReached: Object.keys(circuits).every((state) => state === 'closed'),
  }),
  opens_once: ({ opened, circuits }) => ({
    what: `opened ${times(opened)} (once for an endpoint at most)`,
    isReached: opened <= Object.values(circuits).reduce((sum, count) => sum + count, 0),
  }),
  stays_closed: ({ opened }) => ({ what: `opened ${times(opened)} (never)`, isReached: opened === 0 }),
};

/** `closed`, or `1 closed, 1 open` where they differ. */
export function circuitsIn(states: Recovery['circuits']): string {
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
