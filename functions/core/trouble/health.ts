import { CLOSED } from '../circuit/circuit.ts';
import { isOpenByHand } from '../circuit/operator-signals.ts';
import type { LastAttempt } from './last-attempt.ts';
import type { SeenSubscription } from './seen-subscription.ts';

/** An answered attempt that takes longer, as one in twenty does or more, makes its endpoint a slow one. */
const SLOW_MS = 3_000;

/** The health of an endpoint, in the words of the runbook. */
export const HEALTHS = [
  'unproven',
  'paused',
  'disabled',
  'open by hand',
  'failing',
  'slow',
  'recovering',
  'well',
] as const;
export type Health = (typeof HEALTHS)[number];

/** Figures of the attempts of an endpoint: the last one of each examined message. */
export interface Figures {
  readonly attempts: number;
  readonly failed: number;
  /** When the earliest of them began. */
  readonly since: string;
  /** Absent where the caller may not read durations. */
  readonly p95_ms?: number;
}

/** @param attempts the newest first */
export function healthOf(
  { state, circuit = CLOSED }: Pick<SeenSubscription, 'state' | 'circuit'>,
  attempts: readonly LastAttempt[],
): Health {
  if (state === 'paused' || state === 'disabled' || state === 'unproven') {
    return state;
  }
  switch (circuit.state) {
    case 'open':
    case 'half_open':
      return isOpenByHand({ circuit }) ? 'open by hand' : 'failing';
    case 'draining':
      return isCrowded(circuit) || isSlow(attempts, circuit.since) ? 'slow' : 'recovering';
    case 'closed':
      return 'well';
  }
}

export function figuresOf(attempts: readonly LastAttempt[]): Figures | undefined {
  const since = attempts.at(-1)?.last_attempt_at;
  const p95_ms = p95(attempts);
  return since === undefined
    ? undefined
    : {
        attempts: attempts.length,
        failed: attempts.filter(hasFailed).length,
        since,
        ...(p95_ms === undefined ? {} : { p95_ms }),
      };
}

export function lastErrorOf(attempts: readonly LastAttempt[]): LastAttempt | undefined {
  return attempts.find(hasFailed);
}

function hasFailed({ last_failure_class }: LastAttempt): boolean {
  return last_failure_class !== undefined;
}

/** It drains because it has as much under way as it may have, and not because it was down. */
function isCrowded(circuit: object): boolean {
  return 'cause' in circuit && circuit.cause === 'crowded';
}

/** Of what was answered since the drain began: what timed out before says nothing of now. */
function isSlow(attempts: readonly LastAttempt[], since = ''): boolean {
  const answered = attempts.filter(
    ({ last_attempt_at, last_status_code }) => last_attempt_at >= since && last_status_code !== undefined,
  );
  return (p95(answered) ?? 0) > SLOW_MS;
}

/** By nearest rank. */
function p95(attempts: readonly LastAttempt[]): number | undefined {
  const durations = attempts
    .flatMap(({ duration_ms }) => duration_ms ?? [])
    .sort((one, other) => one - other);
  return durations[Math.ceil(0.95 * durations.length) - 1];
}
