import type { Attempt } from '../../../functions/core/attempt/attempt.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { Group, Latencies } from '../../results/run-result.ts';
import { percentilesOf } from '../../statistics/percentile.ts';
import type { Expected } from '../scenario/expected.ts';

/** What we know of a run's messages when it is over. */
export interface Facts {
  readonly expected: readonly Expected[];
  readonly recorded: ReadonlyMap<string, MessageSummary>;
  /** All attempts of messages that were not delivered at the first one. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  /** When a receiver first accepted a message, ms since 1970. */
  readonly acceptedAtMs: ReadonlyMap<string, number>;
  readonly receipts: readonly Receipt[];
  /** Ordering wait by message id, from `orderingWaits`. It is not part of time to send. */
  readonly orderingWaitMs: ReadonlyMap<string, number>;
}

/** Whether the summary alone describes all attempts. */
export function isPlain({ state, attempt_count }: Pick<MessageSummary, 'state' | 'attempt_count'>): boolean {
  return attempt_count === 0 || (state === 'succeeded' && attempt_count === 1);
}

/**
 * From intake to the start of the first attempt, without the ordering wait and the time held. Undefined
 * without an attempt.
 */
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
  const attempt = percentilesOf(summaries.flatMap((summary) => attemptDurations(summary, facts)));
  const whole = percentilesOf(
    summaries.flatMap(({ state, admitted_at, ended_at }) =>
      state === 'succeeded' && ended_at !== undefined ? Date.parse(ended_at) - Date.parse(admitted_at) : [],
    ),
  );
  return {
    time_to_send: timeToSend,
    behind_earlier: behindEarlier,
    held,
    attempt,
    whole,
  };
}

function attemptDurations(summary: MessageSummary, { attempts }: Facts): number[] {
  const { message_id, last_attempt_at, ended_at } = summary;
  const known = attempts.get(message_id);
  if (known !== undefined) {
    return known.map(({ duration_ms }) => duration_ms);
  }
  return isPlain(summary) && last_attempt_at !== undefined && ended_at !== undefined
    ? [Date.parse(ended_at) - Date.parse(last_attempt_at)]
    : [];
}

/** Attempts by outcome: `delivered`, or the failure class. */
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
      ({ webhook_id, status }) => !isAccepted(status) && ids.has(webhook_id ?? ''),
    ).length,
    latencies: latenciesOf(facts, expected),
  };
}

export function perSecond(count: number, seconds: number): number {
  return seconds === 0 ? 0 : Math.round((count / seconds) * 10) / 10;
}

/** An attempt without an answer has no status. */
export function isAccepted(status: number | undefined): boolean {
  return status !== undefined && status < 300;
}

/** Until then, not all users have started. */
const RAMP_MS = 2_000;

/**
 * Messages accepted per second while every user was active. Undefined when that time was too short.
 *
 * @param fromMs time of the first event, since 1970; `toMs` of the last
 */
export function sustainedPerSecond(
  { acceptedAtMs }: Pick<Facts, 'acceptedAtMs'>,
  expected: readonly Pick<Expected, 'messageId'>[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number | undefined {
  const rampedAtMs = fromMs + RAMP_MS;
  if (toMs - rampedAtMs < RAMP_MS) return undefined;
  const count = expected.filter(({ messageId }) => {
    const atMs = acceptedAtMs.get(messageId);
    return atMs !== undefined && atMs >= rampedAtMs && atMs < toMs;
  }).length;
  return perSecond(count, (toMs - rampedAtMs) / 1_000);
}
