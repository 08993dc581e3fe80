import type { Attempt } from '../../functions/core/attempt.ts';
import type { MessageSummary } from '../../functions/core/message-view.ts';
import type { Receipt } from '../../functions/receiver/receipt.ts';
import { percentile, percentilesOf } from '../percentile.ts';
import type { Group, Latencies, Point } from '../run-result.ts';
import type { Expected } from './expected.ts';

/** What is known of a run's messages when it is over. */
export interface Facts {
  readonly expected: readonly Expected[];
  readonly recorded: ReadonlyMap<string, MessageSummary>;
  /** All attempts of those that were not delivered at once. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  /** When a receiver accepted a message for the first time, ms since 1970. */
  readonly acceptedAtMs: ReadonlyMap<string, number>;
  readonly receipts: readonly Receipt[];
}

const COMES_AT_ONCE = 1;

/** Whether the summary alone tells all there is of its attempts. */
export function isPlain({ state, attempt_count }: Pick<MessageSummary, 'state' | 'attempt_count'>): boolean {
  return attempt_count === 0 || (state === 'succeeded' && attempt_count === COMES_AT_ONCE);
}

export function latenciesOf(facts: Facts, expected = facts.expected): Latencies {
  const summaries = expected.flatMap(({ messageId }) => facts.recorded.get(messageId) ?? []);
  const timeToSend = percentilesOf(summaries.flatMap(({ time_to_send_ms }) => time_to_send_ms ?? []));
  const held = percentilesOf(summaries.flatMap(({ held_ms }) => held_ms ?? []));
  const attempt = percentilesOf(summaries.flatMap((summary) => durations(summary, facts)));
  const whole = percentilesOf(
    summaries.flatMap(({ state, admitted_at, ended_at }) =>
      state === 'succeeded' && ended_at !== undefined ? Date.parse(ended_at) - Date.parse(admitted_at) : [],
    ),
  );
  return {
    ...(timeToSend === undefined ? {} : { time_to_send: timeToSend }),
    ...(held === undefined ? {} : { held }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(whole === undefined ? {} : { whole }),
  };
}

function durations(summary: MessageSummary, { attempts }: Facts): number[] {
  const { message_id, last_attempt_at, ended_at } = summary;
  const known = attempts.get(message_id);
  if (known !== undefined) {
    return known.map(({ duration_ms }) => duration_ms);
  }
  return isPlain(summary) && last_attempt_at !== undefined && ended_at !== undefined
    ? [Date.parse(ended_at) - Date.parse(last_attempt_at)]
    : [];
}

/** By outcome: `delivered`, or the class of the failure. */
export function attemptsByOutcome({ expected, recorded, attempts }: Facts): Record<string, number> {
  const counts: Record<string, number> = {};
  const count = (outcome: string, times = 1) => {
    counts[outcome] = (counts[outcome] ?? 0) + times;
  };
  for (const { messageId } of expected) {
    const summary = recorded.get(messageId);
    const known = attempts.get(messageId);
    if (known !== undefined) {
      for (const { failure_class } of known) count(failure_class ?? 'delivered');
    } else if (summary !== undefined && summary.attempt_count > 0) {
      const succeeded = summary.state === 'succeeded' ? 1 : 0;
      if (succeeded > 0) count('delivered');
      if (summary.attempt_count > succeeded)
        count(summary.last_failure_class ?? 'failed', summary.attempt_count - succeeded);
    }
  }
  return counts;
}

export function groupOf(name: string, facts: Facts, expected: readonly Expected[], seconds: number): Group {
  const ids = new Set(expected.map(({ messageId }) => messageId));
  const delivered = expected.filter(({ messageId }) => facts.acceptedAtMs.has(messageId)).length;
  return {
    name,
    expected: expected.length,
    delivered,
    delivered_per_second: perSecond(delivered, seconds),
    failed_attempts: facts.receipts.filter(
      ({ webhook_id, status }) => isFailed(status) && ids.has(webhook_id ?? ''),
    ).length,
    latencies: latenciesOf(facts, expected),
  };
}

export function perSecond(count: number, seconds: number): number {
  return seconds === 0 ? 0 : Math.round((count / seconds) * 10) / 10;
}

/** An endpoint that says nothing fails, too. */
function isFailed(status: number | undefined): boolean {
  return status === undefined || status >= 300;
}

/** A chart with more points than this shows no more. */
const MOST_POINTS = 300;

/** Seconds of a point: one, or so many that the points stay few. */
export function secondWidth(seconds: number): number {
  const nice = [1, 2, 5, 10, 30, 60, 300, 600, 3_600];
  return nice.find((width) => seconds / width <= MOST_POINTS) ?? 7_200;
}

export function pointsOf(
  facts: Facts,
  startedAtMs: number,
  seconds: number,
  width = secondWidth(seconds),
): Point[] {
  const count = Math.max(1, Math.ceil(seconds / width));
  const place = (atMs: number) =>
    Math.min(count - 1, Math.max(0, Math.floor((atMs - startedAtMs) / (width * 1_000))));
  const sent = new Array<number>(count).fill(0);
  const delivered = new Array<number>(count).fill(0);
  const failed = new Array<number>(count).fill(0);
  const times = Array.from({ length: count }, (): number[] => []);
  const add = (to: number[], atMs: number) => {
    const at = place(atMs);
    to[at] = (to[at] ?? 0) + 1;
  };
  const events = new Set<string>();
  const ids = new Set<string>();
  const messages = new Array<number>(count).fill(0);
  for (const { messageId, eventId, sentAtMs } of facts.expected) {
    if (!events.has(eventId)) add(sent, sentAtMs);
    events.add(eventId);
    ids.add(messageId);
    add(messages, sentAtMs);
    const acceptedAt = facts.acceptedAtMs.get(messageId);
    if (acceptedAt !== undefined) add(delivered, acceptedAt);
    const { admitted_at, held_ms = 0, time_to_send_ms } = facts.recorded.get(messageId) ?? {};
    if (admitted_at !== undefined && time_to_send_ms !== undefined) {
      times[place(Date.parse(admitted_at) + held_ms + time_to_send_ms)]?.push(time_to_send_ms);
    }
  }
  for (const { webhook_id, status, received_at, answered_at } of facts.receipts) {
    if (isFailed(status) && ids.has(webhook_id ?? '')) add(failed, Date.parse(answered_at ?? received_at));
  }
  let backlog = 0;
  return sent.map((sentHere, index) => {
    backlog += (messages[index] ?? 0) - (delivered[index] ?? 0);
    const here = times[index] ?? [];
    const of = (percent: number) => (here.length === 0 ? null : percentile(here, percent));
    return {
      at_seconds: index * width,
      sent: sentHere,
      delivered: delivered[index] ?? 0,
      failed_attempts: failed[index] ?? 0,
      backlog,
      time_to_send_p50: of(50),
      time_to_send_p99: of(99),
      time_to_send_max: of(100),
    };
  });
}
