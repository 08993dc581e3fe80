import type { Recovery } from '../../results/run-result.ts';
import { percentilesOf } from '../../statistics/percentile.ts';
import type { PartnerGroup } from '../partners/partner-groups.ts';
import type { Expected } from '../scenario/expected.ts';
import type { Circuits } from '../watch/circuit-watch.ts';
import type { Facts } from './measurements.ts';
import type { Changed } from './periods.ts';
import type { IsRefused } from './refusals.ts';

/** The end of sending shows whether all is well again. */
const LAST_SECONDS_MS = 10_000;
/** The last messages of a backlog failed as the outage began: each waits for its own retry. */
const DRAINED_SHARE = 0.9;

export interface RecoveryInput {
  readonly facts: Facts;
  readonly groups: readonly PartnerGroup[];
  readonly changed: readonly Changed[];
  readonly lastSentAtMs: number;
  readonly isRefused: IsRefused;
  readonly circuits: ReadonlyMap<string, Circuits>;
}

/** How each group recovered, by name. */
export function recoveries(input: RecoveryInput): ReadonlyMap<string, Recovery> {
  return new Map(input.groups.map((group) => [group.name, recoveryOf(group, input)]));
}

function recoveryOf({ name }: PartnerGroup, input: RecoveryInput): Recovery {
  const { facts, changed, lastSentAtMs, isRefused, circuits } = input;
  const { acceptedAtMs } = facts;
  const expected = facts.expected.filter(({ group }) => group === name);
  const others = expected.filter((message) => !isRefused(message));
  const times = others.flatMap(({ messageId }) => acceptedAtMs.get(messageId) ?? []);
  const lastAtMs = times.reduce((last, atMs) => Math.max(last, atMs), 0);
  const lastSeconds = percentilesOf(
    others
      .filter(({ sentAtMs }) => sentAtMs > lastSentAtMs - LAST_SECONDS_MS)
      .flatMap(({ messageId }) => untilAttempted(messageId, facts) ?? []),
  );
  const drain = drained(expected, isRefused, acceptedAtMs, backAt(name, changed));
  const { states = {}, opened = 0 } = circuits.get(name) ?? {};
  return {
    refused: expected.length - others.length,
    others: others.length,
    others_delivered: times.length,
    ...(times.length < others.length ? {} : { all_after_ms: Math.max(0, lastAtMs - lastSentAtMs) }),
    delivered_meanwhile: rounded(
      others.length === 0 ? 1 : times.filter((atMs) => atMs <= lastSentAtMs).length / others.length,
    ),
    last_seconds: lastSeconds,
    circuits: { ...states },
    opened,
    ...drain,
  };
}

/** From intake to the first attempt in ms, without the ordering wait. Undefined without an attempt. */
function untilAttempted(messageId: string, { recorded, orderingWaitMs }: Facts): number | undefined {
  const { time_to_send_ms, held_ms = 0 } = recorded.get(messageId) ?? {};
  return time_to_send_ms === undefined
    ? undefined
    : time_to_send_ms + held_ms - (orderingWaitMs.get(messageId) ?? 0);
}

/**
 * When the endpoints of a group, which accepted nothing, accepted messages again, in ms since 1970. Undefined
 * when they were never down.
 */
function backAt(name: string, changed: readonly Changed[]): number | undefined {
  let isDown = false;
  let at: number | undefined;
  for (const { group, change, atMs } of [...changed].sort((a, b) => a.atMs - b.atMs)) {
    if (group !== name || change.receiver === undefined) continue;
    const { hang, failure_rate = 0 } = change.receiver;
    const wasDown = isDown;
    isDown = hang === true || Number(failure_rate) >= 1;
    if (wasDown && !isDown) at = atMs;
  }
  return at;
}

/**
 * How a backlog was delivered. The rate covers nine tenths of the messages waiting when the endpoint
 * recovered, over the time from the first accepted message to nine tenths of those not refused. An endpoint
 * that refuses some but is as fast therefore has the same rate. The time until the recovery is noticed
 * depends on when the probe falls, so it is reported separately.
 */
function drained(
  expected: readonly Expected[],
  isRefused: IsRefused,
  acceptedAtMs: Facts['acceptedAtMs'],
  backAtMs: number | undefined,
): Pick<Recovery, 'found_after_ms' | 'drain_per_second'> {
  if (backAtMs === undefined) return {};
  const backlog = expected.filter(
    ({ messageId, sentAtMs }) =>
      sentAtMs < backAtMs && (acceptedAtMs.get(messageId) ?? Number.POSITIVE_INFINITY) >= backAtMs,
  );
  const deliverable = backlog.filter((message) => !isRefused(message));
  const times = deliverable
    .flatMap(({ messageId }) => acceptedAtMs.get(messageId) ?? [])
    .sort((a, b) => a - b);
  const [firstAtMs] = times;
  const atMs = times[Math.ceil(deliverable.length * DRAINED_SHARE) - 1];
  if (firstAtMs === undefined) return {};
  const noticed = { found_after_ms: firstAtMs - backAtMs };
  if (atMs === undefined || atMs === firstAtMs) return noticed;
  const perSecond = Math.round(((DRAINED_SHARE * backlog.length) / (atMs - firstAtMs)) * 10_000) / 10;
  return { ...noticed, drain_per_second: perSecond };
}

function rounded(ratio: number): number {
  return Math.round(ratio * 100) / 100;
}
