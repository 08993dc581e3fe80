import type { Attempt } from '../attempt/attempt.ts';
import type { Circuit } from '../circuit/circuit.ts';
import type { MessageRecord } from '../message/history.ts';
import { orderingKey, PARKED_REASONS } from '../message/message.ts';
import { isFinal } from '../message/outcome.ts';
import { positionOf } from '../sequence/order-number.ts';
import { instant } from '../text/instant.ts';
import { ENTRY_KINDS, type MessageTimeline, type TimelineEntry, type WaitsFor } from './timeline-view.ts';

/** An attempt, as far as the caller may see it. */
type SeenAttempt = Omit<Attempt, 'duration_ms' | 'response_body'> & { readonly duration_ms?: number };

/** A message with its attempts that are known, in order; `attempt_count` tells how many there were. */
export interface Course {
  readonly record: Omit<MessageRecord, 'first_attempt'>;
  readonly attempts: readonly SeenAttempt[];
}

/**
 * What happened to messages of a payment, and what each waits for; in the order in which they are given.
 *
 * @param circuits by subscription; absent where it is not known
 */
export function messageTimelines(
  courses: readonly Course[],
  circuits: ReadonlyMap<string, Circuit>,
): MessageTimeline[] {
  const heads = headsOf(courses.map(({ record }) => record));
  return courses.map((course) => {
    const { record, attempts } = course;
    const waits_for = waitsForOf(record, heads.get(orderingKey(record)), circuits);
    const leftOut = record.attempt_count - attempts.length;
    return {
      message_id: record.message_id,
      event_id: record.event_id,
      subscription_id: record.subscription_id,
      event_type: record.event_type,
      resource_type: record.resource_type,
      resource_id: record.resource_id,
      live: record.live,
      ...given(record, ['sequence', 'position', 'previous_message_id', 'gap_before', 'expires_at']),
      state: record.state,
      ...given(record, ['state_reason']),
      ...(record.late || record.came_late ? { late: true } : {}),
      attempt_count: record.attempt_count,
      ...(leftOut > 0 ? { attempts_left_out: leftOut } : {}),
      ...(waits_for === undefined ? {} : { waits_for }),
      entries: entriesOf(course),
    };
  });
}

function entriesOf({ record, attempts }: Course): TimelineEntry[] {
  const { occurred_at, arrived_at, admitted_at, parked_at, ended_at } = record;
  const heldUntil = attempts.find(({ attempt }) => attempt === 1)?.started_at ?? ended_at;
  const entries: TimelineEntry[] = [
    { at: instant(Date.parse(occurred_at)), kind: 'occurred' },
    ...(arrived_at === undefined ? [] : [{ at: arrived_at, kind: 'arrived', until: admitted_at } as const]),
    { at: admitted_at, kind: 'admitted' },
    ...(parked_at === undefined
      ? []
      : [{ at: parked_at, kind: 'held', ...(heldUntil === undefined ? {} : { until: heldUntil }) } as const]),
    ...attempts.map((attempt) => attempted(attempt)),
    ...(ended_at === undefined ? [] : [{ at: ended_at, kind: 'ended' } as const]),
  ];
  return entries.sort(
    (one, other) =>
      one.at.localeCompare(other.at) || ENTRY_KINDS.indexOf(one.kind) - ENTRY_KINDS.indexOf(other.kind),
  );
}

function attempted({ started_at, ...attempt }: SeenAttempt): TimelineEntry {
  return {
    at: started_at,
    kind: 'attempted',
    ...given(attempt, [
      ...(['attempt', 'duration_ms', 'status_code', 'failure_class', 'failure_reason'] as const),
      ...(['probe', 'late', 'earlier_may_be_missing'] as const),
    ]),
  };
}

/** The first message that waits, by ordering key: those behind it wait for it. */
function headsOf(records: readonly Course['record'][]): ReadonlyMap<string, Course['record']> {
  const heads = new Map<string, Course['record']>();
  for (const record of records.filter((one) => !isFinal(one))) {
    const head = heads.get(orderingKey(record));
    if (head === undefined || positionOf(record, record.late) < positionOf(head, head.late)) {
      heads.set(orderingKey(record), record);
    }
  }
  return heads;
}

function waitsForOf(
  record: Course['record'],
  head: Course['record'] | undefined,
  circuits: ReadonlyMap<string, Circuit>,
): WaitsFor | undefined {
  const since = record.attempt_count === 0 ? record.parked_at : record.last_attempt_at;
  const told = since === undefined ? {} : { since };
  if (record.state === 'retrying') {
    return { reason: 'next_attempt', ...told, ...ifKnown('until', record.next_attempt_at) };
  }
  const reason = PARKED_REASONS.find((one) => one === record.state_reason);
  if (record.state !== 'parked' || reason === undefined) {
    return undefined;
  }
  if (reason === 'behind_earlier' && head !== undefined && head !== record) {
    const until = waitsForOf(head, undefined, circuits)?.until;
    return { reason, ...told, ...ifKnown('until', until), message_id: head.message_id };
  }
  const circuit = circuits.get(record.subscription_id);
  const probeAt = reason === 'circuit_open' && circuit?.state === 'open' ? circuit.probe_at : undefined;
  return { reason, ...told, ...ifKnown('until', probeAt) };
}

function ifKnown<Name extends string>(name: Name, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [key in Name]?: string };
}

/** These members of an object, without absent ones. */
function given<Of extends object, const Names extends readonly (keyof Of)[]>(
  of: Of,
  names: Names,
): Pick<Of, Names[number]> {
  return Object.fromEntries(
    names.flatMap((name) => (of[name] === undefined ? [] : [[name, of[name]]])),
  ) as Pick<Of, Names[number]>;
}
