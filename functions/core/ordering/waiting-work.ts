import type { Circuit } from '../circuit/circuit.ts';

/** The ordering key that has been in a backlog longest. Instants are ISO 8601 in UTC with milliseconds. */
export interface FirstInBacklog {
  readonly backlogged_at: string;
  /** A drain does not signal it before this. */
  readonly check_at: string;
}

export interface WaitingItems {
  /**
   * When blocked ordering keys are due that wait for their time: of all, or of the `max` that sweep checks
   * first.
   */
  dueAts(max: number): Promise<readonly string[]>;
  /** How many ordering keys wait for an operator, counted up to `max`. */
  stuckKeys(max: number): Promise<number>;
  /** All circuits with a timer, or `max` of them. */
  timedCircuits(
    max: number,
  ): Promise<readonly { readonly subscription_id: string; readonly circuit: Circuit }[]>;
  firstInBacklog(subscriptionId: string): Promise<FirstInBacklog | undefined>;
}

/** What was found waiting. */
export interface Seen {
  /** When each ordering key is due that waits for its time. */
  readonly dueAts: readonly string[];
  /** Ordering keys that wait for an operator. */
  readonly stuckKeys: number;
  /** Circuits with a timer, each with the first ordering key of its backlog, if there is one. */
  readonly circuits: readonly { readonly circuit: Circuit; readonly first?: FirstInBacklog | undefined }[];
}

/** How much waits, and for how long. */
export interface WhatWaits {
  /**
   * How long the oldest overdue item has been due: an ordering key, a circuit timer, or the first of a
   * draining backlog. 0: none is.
   */
  readonly oldestDueMs: number;
  readonly waitingKeys: number;
  readonly stuckKeys: number;
  /** Circuits that let nothing but probes pass. */
  readonly openCircuits: number;
  readonly drainingCircuits: number;
  /** How long the oldest ordering key has been in a backlog. 0: there is none. */
  readonly oldestInBacklogMs: number;
  /** Messages behind circuits that are not closed, as last counted. */
  readonly messagesBehindCircuits: number;
}

/** What waits for its time, behind an open circuit or for an operator is not overdue. */
export function whatWaits({ dueAts, stuckKeys, circuits }: Seen, nowMs: number): WhatWaits {
  const ages = (instants: readonly string[]) => instants.map((since) => nowMs - Date.parse(since));
  const inState = (...states: readonly Circuit['state'][]) =>
    circuits.map(({ circuit }) => circuit).filter(({ state }) => states.includes(state));
  const dues = [...dueAts, ...circuits.flatMap(duesOf)];
  return {
    oldestDueMs: longest(ages(dues)),
    waitingKeys: dueAts.length,
    stuckKeys,
    openCircuits: inState('open', 'half_open').length,
    drainingCircuits: inState('draining').length,
    oldestInBacklogMs: longest(ages(circuits.flatMap(({ first }) => first?.backlogged_at ?? []))),
    messagesBehindCircuits: inState('open', 'half_open', 'draining').reduce(
      (sum, { backlog_size }) => sum + (backlog_size?.waiting ?? 0),
      0,
    ),
  };
}

/**
 * However long a draining backlog is, its first ordering key is signalled by the first circuit timer after
 * its `check_at`.
 */
function duesOf({ circuit, first }: Seen['circuits'][number]): readonly string[] {
  const isMoving = circuit.state === 'draining' || circuit.state === 'closed';
  const movesSince = circuit.since ?? '';
  return [
    ...(circuit.timer_at === undefined ? [] : [circuit.timer_at]),
    ...(isMoving && first !== undefined ? [first.check_at > movesSince ? first.check_at : movesSince] : []),
  ];
}

function longest(agesMs: readonly number[]): number {
  return agesMs.reduce((max, age) => Math.max(max, age), 0);
}
