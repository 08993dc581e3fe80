import type { Circuit } from '../circuit/circuit.ts';

/** The key that has been in a line longest. Instants are ISO 8601 in UTC with milliseconds. */
export interface FirstInBacklog {
  readonly parked_at: string;
  /** Not hinted by a drain before this. */
  readonly check_at: string;
}

/** What was seen waiting. */
export interface Seen {
  /** When each key that waits for its time is due. */
  readonly dueAts: readonly string[];
  /** Keys that wait for an operator. */
  readonly stuckKeys: number;
  /** Circuits that tick, each with the first key of its line, where there is one. */
  readonly circuits: readonly { readonly circuit: Circuit; readonly first?: FirstInBacklog | undefined }[];
}

/** How much waits, and for how long. */
export interface WhatWaits {
  /** How long ago the oldest thing was due that nobody has seen to: a key, a tick, or the first in a line that moves. 0 when nothing is. */
  readonly oldestDueMs: number;
  readonly waitingKeys: number;
  readonly stuckKeys: number;
  /** Circuits that let nothing but probes pass. */
  readonly openCircuits: number;
  readonly drainingCircuits: number;
  /** How long the oldest key has been in a line. 0 when there is none. */
  readonly oldestInBacklogMs: number;
  /** Messages behind circuits that are not closed, as last counted. */
  readonly messagesBehindCircuits: number;
}

/** What a partner's failure holds back is not due: what waits for its time, in a line behind an open circuit, or for an operator. */
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
    oldestInBacklogMs: longest(ages(circuits.flatMap(({ first }) => first?.parked_at ?? []))),
    messagesBehindCircuits: inState('open', 'half_open', 'draining').reduce(
      (sum, { backlog }) => sum + (backlog?.waiting ?? 0),
      0,
    ),
  };
}

/** A line that moves is worked off from its head: however long it is, its first key is hinted at the tick after its `check_at`. */
function duesOf({ circuit, first }: Seen['circuits'][number]): readonly string[] {
  const isMoving = circuit.state === 'draining' || circuit.state === 'closed';
  const movesSince = circuit.since ?? '';
  return [
    ...(circuit.tick_at === undefined ? [] : [circuit.tick_at]),
    ...(isMoving && first !== undefined ? [first.check_at > movesSince ? first.check_at : movesSince] : []),
  ];
}

function longest(agesMs: readonly number[]): number {
  return agesMs.reduce((max, age) => Math.max(max, age), 0);
}
