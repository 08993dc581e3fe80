import type { Attempt } from '../../../functions/core/attempt/attempt.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { Group, Latencies } from '../../results/run-result.ts';
import { percentilesOf } from '../../statistics/percentile.ts';
import type { Expected } from '../scenario/expected.ts';

/** What is known of a run's messages when it is over. */
export interface Facts {
  readonly expected: readonly Expected[];
  readonly recorded: ReadonlyMap<string, MessageSummary>;
  /** All attempts of those that were not delivered at once. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  /** When a receiver accepted a message for the first time, ms since 1970. */
  readonly acceptedAtMs: ReadonlyMap<string, number>;
  readonly receipts: readonly Receipt[];
  /** What messages waited in the queue behind an earlier one of their key, as `orderingWaits` has it: it is no time to send. */
  readonly orderingWaitMs: ReadonlyMap<string, number>;
}

const COMES_AT_ONCE = 1;

/** Whether the summary alone tells all there is of its attempts. */
export function isPlain({ state, attempt_count }: Pick<MessageSummary, 'state' | 'attempt_count'>): boolean {
  return attempt_count === 0 || (state === 'succeeded' && attempt_count === COMES_AT_ONCE);
}

/** From admission to the start of the first attempt, without what the message was held and what it waited for its turn; undefined when there was none. */
export function timeToSendOf(
  { message_id, time_to_send_ms }: Pick<MessageSummary, 'message_id' | 'time_to_send_ms'>,
  { orderingWaitMs }: Pick<Facts, 'orderingWaitMs'>,
): number | undefined {
  return time_to_send_ms === undefined ? undefined : time_to_send_ms - (orderingWaitMs.get(message_id) ?? 0);
}

export function latenciesOf(facts: Facts, expected = facts.expected): Latencies {
  const summaries = expected.flatMap(({ messageId }) => facts.recorded.get(messageId) ?? []);
  const timeToSend = percentilesOf(summaries.flatMap((summary) => timeToSendOf(summary, facts) ?? []));
  const behindEarlier = percentilesOf(
    summaries.flatMap(({ message_id }) => facts.orderingWaitMs.get(message_id) ?? []),
  );
  const held = percentilesOf(summaries.flatMap(({ held_ms }) => held_ms ?? []));
  const attempt = percentilesOf(summaries.flatMap((summary) => durations(summary, facts)));
  const whole = percentilesOf(
    summaries.flatMap(({ state, admitted_at, ended_at }) =>
      state === 'succeeded' && ended_at !== undefined ? Date.parse(ended_at) - Date.parse(admitted_at) : [],
    ),
  );
  return {
    ...(timeToSend === undefined ? {} : { time_to_send: timeToSend }),
    ...(behindEarlier === undefined ? {} : { behind_earlier: behindEarlier }),
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
export function isFailed(status: number | undefined): boolean {
  return status === undefined || status >= 300;
}

/** Before that not all of the users are there. */
const RAMP_MS = 2_000;

/** What was accepted in a second while all was under way; undefined when that was no time worth the name. @param fromMs since 1970, of the first event; `toMs` of the last */
export function sustainedPerSecond(
  { acceptedAtMs }: Pick<Facts, 'acceptedAtMs'>,
  expected: readonly Pick<Expected, 'messageId'>[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number | undefined {
  const rampedAtMs = fromMs + RAMP_MS;
  if (toMs - rampedAtMs < RAMP_MS) {
    return undefined;
  }
  const count = expected.filter(({ messageId }) => {
    const atMs = acceptedAtMs.get(messageId);
    return atMs !== undefined && atMs >= rampedAtMs && atMs < toMs;
  }).length;
  return perSecond(count, (toMs - rampedAtMs) / 1_000);
}
