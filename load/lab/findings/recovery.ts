import type { Recovery } from '../../results/run-result.ts';
import { percentilesOf } from '../../statistics/percentile.ts';
import type { FilledPartners } from '../partners/partner-groups.ts';
import type { Expected } from '../scenario/expected.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Circuits } from '../watch/circuit-watch.ts';
import type { Facts } from './measured.ts';
import type { Changed } from './periods.ts';
import type { IsRefused } from './refusals.ts';

/** The end of the sending: `all is well again` is seen there. */
const LAST_MS = 10_000;
/** The last ones of a backlog are those that failed as it began: each waits for a retry of its own. */
const MAX_OF_IT = 0.9;

export interface RecoveryGiven {
  readonly facts: Facts;
  readonly groups: readonly FilledPartners[];
  readonly changed: readonly Changed[];
  readonly lastSentAtMs: number;
  readonly isRefused: IsRefused;
  readonly circuits: ReadonlyMap<string, Circuits>;
  readonly asked: NonNullable<Scenario['recovery']>;
}

/** How each group got over its trouble, by name. */
export function recoveries(given: RecoveryGiven): ReadonlyMap<string, Recovery> {
  const { groups, asked } = given;
  const own = new Map(groups.map((group) => [group.name, ownFigures(group, given)]));
  const reference = asked.compared_with === undefined ? undefined : own.get(asked.compared_with);
  return new Map(
    [...own].map(([name, figures]) => [
      name,
      {
        ...figures,
        ...(reference === undefined || figures === reference ? {} : ratios(figures, reference)),
        targets: name === asked.compared_with ? [] : asked.targets,
      },
    ]),
  );
}

type Own = Omit<Recovery, 'targets' | 'time_to_send_ratio' | 'drain_ratio'>;

function ownFigures({ name }: FilledPartners, given: RecoveryGiven): Own {
  const { facts, changed, lastSentAtMs, isRefused, circuits } = given;
  const { acceptedAtMs } = facts;
  const expected = facts.expected.filter(({ group }) => group === name);
  const others = expected.filter((message) => !isRefused(message));
  const times = others.flatMap(({ messageId }) => acceptedAtMs.get(messageId) ?? []);
  const lastAtMs = times.reduce((last, atMs) => Math.max(last, atMs), 0);
  const lastSeconds = percentilesOf(
    others
      .filter(({ sentAtMs }) => sentAtMs > lastSentAtMs - LAST_MS)
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
    ...(lastSeconds === undefined ? {} : { last_seconds: lastSeconds }),
    circuits: { ...states },
    opened,
    ...drain,
  };
}

function ratios(figures: Own, reference: Own): Pick<Recovery, 'time_to_send_ratio' | 'drain_ratio'> {
  const [own, other] = [figures.last_seconds?.p50, reference.last_seconds?.p50];
  const [rate, otherRate] = [figures.drain_per_second, reference.drain_per_second];
  return {
    // Whole ms are all that the history has.
    ...(own === undefined || other === undefined
      ? {}
      : { time_to_send_ratio: rounded(own / Math.max(1, other)) }),
    ...(rate === undefined || otherRate === undefined ? {} : { drain_ratio: rounded(rate / otherRate) }),
  };
}

/** From admission to the first attempt, in ms, without what it waited in the queue for an earlier event of its payment; undefined when there was none. */
function untilAttempted(messageId: string, { recorded, orderingWaitMs }: Facts): number | undefined {
  const { time_to_send_ms, held_ms = 0 } = recorded.get(messageId) ?? {};
  return time_to_send_ms === undefined
    ? undefined
    : time_to_send_ms + held_ms - (orderingWaitMs.get(messageId) ?? 0);
}

/** When the endpoints of a group, which had taken nothing, began to take again, in ms since 1970; undefined when they never were down. */
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
 * How a backlog went out. Its rate: nine tenths of the messages that waited when the endpoint was back, by the time from the first that was accepted until nine
 * tenths of those that it does not refuse had been. So who refuses some, and has dealt with all as fast, has the same rate; and when it was found to be back,
 * which is the luck of its probe, is told apart.
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
  const wanted = backlog.filter((message) => !isRefused(message));
  const times = wanted.flatMap(({ messageId }) => acceptedAtMs.get(messageId) ?? []).sort((a, b) => a - b);
  const max = Math.ceil(wanted.length * MAX_OF_IT);
  const [firstAtMs] = times;
  const atMs = times[max - 1];
  if (firstAtMs === undefined) return {};
  const found = { found_after_ms: firstAtMs - backAtMs };
  if (atMs === undefined || atMs === firstAtMs) return found;
  const perSecond = Math.round(((MAX_OF_IT * backlog.length) / (atMs - firstAtMs)) * 10_000) / 10;
  return { ...found, drain_per_second: perSecond };
}

function rounded(ratio: number): number {
  return Math.round(ratio * 100) / 100;
}
