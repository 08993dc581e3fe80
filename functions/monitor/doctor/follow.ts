import type { Attempt } from '../../core/attempt/attempt.ts';
import type { SyntheticEvent } from '../../core/event/synthetic-event.ts';
import type { MessageSummary } from '../../core/message/message-view.ts';

/** A message in the history, with its `attempts` if the source has them. */
export type Seen = MessageSummary & { readonly attempts?: readonly Attempt[] };

export interface FollowPorts {
  /** Rejects when the bus does not accept it. */
  put(event: SyntheticEvent): Promise<void>;
  /** The message of the event; undefined while there is none. */
  find(event: SyntheticEvent): Promise<Seen | undefined>;
  now(): number;
  wait(ms: number): Promise<unknown>;
}

/** How far an event got, and when: in ms since the start, measured by several clocks. */
interface Step {
  readonly step:
    | 'accepted by the bus'
    | 'taken in by the queue'
    | 'attempted'
    | 'answered'
    | 'in the history';
  readonly afterMs: number;
}

export interface Course {
  readonly hasArrived: boolean;
  readonly steps: readonly Step[];
  readonly seen?: Seen;
  readonly tookMs: number;
}

const FINAL: readonly string[] = ['succeeded', 'exhausted', 'cancelled'];

/** Puts an event on the bus and polls until its message ends, an attempt fails, or the deadline passes. */
export async function follow(
  event: SyntheticEvent,
  ports: FollowPorts,
  { deadlineMs, everyMs }: { readonly deadlineMs: number; readonly everyMs: number },
): Promise<Course> {
  const startedAtMs = ports.now();
  const since = (atMs: number) => atMs - startedAtMs;
  await ports.put(event);
  const accepted: Step = { step: 'accepted by the bus', afterMs: since(ports.now()) };
  let seen: Seen | undefined;
  while (since(ports.now()) < deadlineMs) {
    seen = await ports.find(event);
    if (seen !== undefined && (FINAL.includes(seen.state) || seen.attempt_count > 0)) {
      break;
    }
    await ports.wait(everyMs);
  }
  const tookMs = since(ports.now());
  if (seen === undefined) {
    return { hasArrived: false, steps: [accepted], tookMs };
  }
  return {
    hasArrived: seen.state === 'succeeded',
    steps: [accepted, ...stepsOf(seen, since), { step: 'in the history', afterMs: tookMs }],
    seen,
    tookMs,
  };
}

function stepsOf(seen: Seen, since: (atMs: number) => number): Step[] {
  const { admitted_at, last_attempt_at, attempts = [] } = seen;
  const last = attempts.at(-1);
  return [
    { step: 'taken in by the queue', afterMs: since(Date.parse(admitted_at)) },
    ...(last_attempt_at === undefined
      ? []
      : [{ step: 'attempted', afterMs: since(Date.parse(last_attempt_at)) } as const]),
    ...(last?.status_code === undefined
      ? []
      : [{ step: 'answered', afterMs: since(Date.parse(last.started_at) + last.duration_ms) } as const]),
  ];
}

/** How far the event got and what stopped it, in a sentence. */
export function whereabouts({ hasArrived, seen, tookMs }: Course): string {
  const seconds = (tookMs / 1_000).toFixed(1);
  if (seen === undefined) {
    return `the bus accepted the event, but ${seconds} s later the history has no message of it`;
  }
  if (hasArrived) {
    return `the receiver had the message ${seconds} s after the event was put on the bus`;
  }
  const { state, state_reason, last_failure_class, last_status_code } = seen;
  const why = state_reason === undefined ? state : `${state}: ${state_reason}`;
  const answer = last_status_code ?? last_failure_class;
  return `the message is ${why}${answer === undefined ? '' : `; its last attempt: ${answer}`}`;
}
