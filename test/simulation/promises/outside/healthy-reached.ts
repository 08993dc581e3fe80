import type { Trouble } from '../../people/behaviour.ts';
import { takenSince } from '../../people/taking.ts';
import type { World } from '../../world.ts';
import type { Check } from '../evidence/backlog.ts';
import { receivesMs, saturatedMs } from '../evidence/saturation.ts';
import { allowanceMs } from '../evidence/touches.ts';
import { boundMs, type Freed, type Judged, type Wait } from './healthy-bound.ts';
import { fewestFailures, type Owed, successOf, type Untouched, untouchedOf } from './owed.ts';

/** An endpoint that has answered all it got, quickly and well: polls, port calls, the batch before. */
const WAY_MS = 1_000;
const SLOW_MS = 500;
const MINUTE_MS = 60_000;

/**
 * A payment that its endpoint takes, now and until it comes, comes within the bound above, whatever the
 * endpoint does with other payments. Judged by what endpoints would do, saw and answered. An endpoint that
 * answers 429 to some payments for their own sake asks for fewer requests, and gets fewer of all.
 */
export const healthyReached: Check = (world) =>
  world.plan.faults.unreadable + world.plan.faults.throttled > 0
    ? []
    : untouchedOf(world).flatMap((subscription) => {
        if (subscription.plan.receiver.troubles.some(asksForFewer)) {
          return [];
        }
        const haltedMs = haltedFrom(subscription, world);
        const touched = [...new Set(subscription.owed.flatMap(({ names }) => names))];
        const all = subscription.owed.map((one) => ({
          ...one,
          freeMs: freeFrom(one, subscription.owed, world.policy),
        }));
        return all.flatMap((one) =>
          waitsOf(one, subscription, haltedMs, world)
            .filter((wait) => isTooLong(wait, one, { ...subscription, owed: all }, touched, world))
            .slice(0, 1)
            .map(
              ({ fromMs, untilMs }) =>
                `${one.event.eventId} for ${subscription.subscriptionId}, which its endpoint would have taken, waited ${untilMs - fromMs} ms`,
            ),
        );
      });

function asksForFewer(trouble: Trouble): boolean {
  return trouble.kind === 'picky' && trouble.answers === 429;
}

/** When the endpoint said that it wants nothing more, or had failed for days, and more than once or twice. */
function haltedFrom({ heard }: Untouched, { policy, endedAtMs }: World): number {
  let failingMs: number | undefined;
  let failures = 0;
  for (const { heardSuccess, heardAtMs = 0, heard: answer } of heard) {
    failingMs = heardSuccess ? undefined : (failingMs ?? heardAtMs);
    failures = heardSuccess ? 0 : failures + 1;
    const isUnwanted =
      answer?.status_code === 410 || answer?.response_headers?.['webhook-delivery'] === 'disable';
    if (
      isUnwanted ||
      (failingMs !== undefined &&
        failures >= fewestFailures(policy) &&
        heardAtMs - failingMs >= policy.disableAfterMs - MINUTE_MS)
    ) {
      return heardAtMs;
    }
  }
  return endedAtMs;
}

/** Between two attempts of an event, and before the first: while its endpoint would have taken it. */
function waitsOf(
  { event, requests, freeMs }: Freed,
  { plan }: Untouched,
  haltedMs: number,
  { policy, startedAtMs, endedAtMs }: World,
): Wait[] {
  if (freeMs === undefined || event.expiresAtMs !== undefined) {
    return [];
  }
  const schedule = policy.schedules[plan.schedule];
  const lastMs = Math.min(endedAtMs, haltedMs, event.atMs + policy.totalAgeMs - MINUTE_MS);
  const waits: Wait[] = [];
  for (let number = 0; number <= Math.min(requests.length, schedule.length - 1); number += 1) {
    const before = requests[number - 1];
    if (
      before?.heardSuccess ||
      (before !== undefined && before.heardAtMs === undefined) ||
      before?.reaction.headers?.['webhook-delivery'] !== undefined
    ) {
      break;
    }
    const asksToWait = before?.reaction.headers?.['retry-after'] !== undefined;
    const asked = asksToWait ? policy.longestRetryAfter : 1;
    // Overload: as long as it says, up to five minutes (docs/receiving.md).
    const longestMs = asksToWait ? policy.circuit.longestCoolDownMs : 0;
    const dueMs =
      before === undefined
        ? event.atMs
        : before.heardAtMs! + (1 + policy.jitter) * Math.max(asked * schedule[number - 1]!, longestMs);
    const fromMs = Math.max(dueMs, freeMs);
    const untilMs = Math.min(requests[number]?.begunAtMs ?? lastMs, lastMs);
    const span = { fromMs: fromMs - startedAtMs, untilMs: untilMs - startedAtMs };
    const since = span.fromMs < span.untilMs ? takenSince(plan, event.input, span) : undefined;
    if (since !== undefined) {
      waits.push({ fromMs: startedAtMs + since, untilMs });
    }
  }
  return waits;
}

/** Undefined if one before it has not been taken, or its number is behind a gap. */
function freeFrom(
  { event, requests }: Owed,
  all: readonly Owed[],
  { sequenceGapMs }: World['policy'],
): number | undefined {
  const { sequence, paymentId } = event;
  const begunMs = requests[0]?.begunAtMs ?? Number.POSITIVE_INFINITY;
  const others = all.filter((one) => one.event.paymentId === paymentId && one.event !== event);
  const before =
    sequence === undefined
      ? others.filter((one) => one.event.atMs <= begunMs)
      : others.filter((one) => one.event.sequence === undefined || one.event.sequence <= sequence);
  const numbers = new Set(before.map((one) => one.event.sequence ?? 0).filter((number) => number > 0));
  const isBehindGap = sequence !== undefined && (numbers.has(sequence) || numbers.size < sequence - 1);
  // It came when those behind it were not held back any longer: it goes behind them.
  const isLate = others.some(
    (one) =>
      one.event.sequence !== undefined &&
      one.event.sequence > (sequence ?? Number.POSITIVE_INFINITY) &&
      one.event.atMs + sequenceGapMs < event.atMs + MINUTE_MS,
  );
  const ends = before.map(successOf);
  return !isBehindGap && !isLate && ends.every((end) => end !== undefined)
    ? Math.max(event.atMs, ...ends)
    : undefined;
}

function isTooLong(
  { fromMs, untilMs }: Wait,
  { names, requests }: Owed,
  subscription: Judged,
  touched: readonly string[],
  world: World,
): boolean {
  const waitedMs = untilMs - fromMs;
  if (waitedMs <= WAY_MS) {
    return false;
  }
  const isFirst = (requests[0]?.begunAtMs ?? untilMs) >= untilMs;
  const isSpotless =
    isFirst &&
    subscription.heard.every(
      ({ heardSuccess, heardAtMs, begunAtMs, reaction }) =>
        begunAtMs > untilMs ||
        (heardSuccess && reaction.afterMs < SLOW_MS && heardAtMs! - begunAtMs < SLOW_MS),
    );
  const mayTakeMs = isSpotless ? WAY_MS : boundMs({ fromMs, untilMs }, subscription, world);
  return (
    waitedMs > mayTakeMs &&
    waitedMs >
      mayTakeMs +
        allowanceMs(world, isSpotless ? names : touched, fromMs, untilMs) +
        saturatedMs(world, fromMs, untilMs) +
        receivesMs(world) +
        (isSpotless ? 0 : clocksMs(world))
  );
}

/** Workers with other clocks see timers and retries at other times; an index may lag. */
function clocksMs({ plan }: World): number {
  return plan.clockBehindMs + 2 * plan.clocksDifferMs + 2 * plan.lagMs;
}
