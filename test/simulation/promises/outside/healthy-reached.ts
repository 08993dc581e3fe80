import type { Trouble } from '../../people/behaviour.ts';
import { takenSince } from '../../people/taking.ts';
import type { World } from '../../world.ts';
import type { Check } from '../evidence/backlog.ts';
import { receivesMs, saturatedMs } from '../evidence/saturation.ts';
import { allowanceMs } from '../evidence/touches.ts';
import { type Owed, successOf, type Untouched, untouchedOf } from './owed.ts';

/**
 * How many rounds of probes may miss what an endpoint takes: this many if the newest waiting payment is of a
 * kind that it takes. Otherwise two more for each payment that one of its kind waits among: if every third
 * one is, nine.
 */
const ROUNDS = 3;
const ROUNDS_FOR_ONE_IN = 2;
/** Then all that waits is attempted at this pace at least, or as slowly as the endpoint answers. */
const EACH_MS = 1_000;
/** Whole seconds of SQS, circuit timers, a timer of a retry. */
const START_MS = 15_000;
/** An endpoint that has answered all it got, quickly and well: polls, port calls, the batch before. */
const WAY_MS = 1_000;
/** The part of the time since its failures began that a cool-down has become at most. */
const COOL_DOWN_SHARE = 0.25;
const GROWTH = 1.25;
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
        return subscription.owed.flatMap((one) =>
          waitsOf(one, subscription, haltedMs, world)
            .filter((wait) => isTooLong(wait, one, subscription, touched, world))
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

interface Wait {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** When the endpoint said that it wants nothing more, or had failed for days. */
function haltedFrom({ heard }: Untouched, { policy, endedAtMs }: World): number {
  let failingMs: number | undefined;
  for (const { heardSuccess, heardAtMs = 0, heard: answer } of heard) {
    failingMs = heardSuccess ? undefined : (failingMs ?? heardAtMs);
    const isUnwanted =
      answer?.status_code === 410 || answer?.response_headers?.['webhook-delivery'] === 'disable';
    if (
      isUnwanted ||
      (failingMs !== undefined && heardAtMs - failingMs >= policy.disableAfterMs - MINUTE_MS)
    ) {
      return heardAtMs;
    }
  }
  return endedAtMs;
}

/** Between two attempts of an event, and before the first: while its endpoint would have taken it. */
function waitsOf(owed: Owed, { plan, owed: all }: Untouched, haltedMs: number, world: World): Wait[] {
  const { event, requests } = owed;
  const { policy, startedAtMs, endedAtMs } = world;
  const freeMs = freeFrom(owed, all, policy);
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

/**
 * From when on nothing of its payment is before it; undefined if something may be for long: one before it has
 * not been taken, or its number is behind a gap.
 */
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
  subscription: Untouched,
  touched: readonly string[],
  world: World,
): boolean {
  const waitedMs = untilMs - fromMs;
  const isFirst = (requests[0]?.begunAtMs ?? untilMs) >= untilMs;
  const isSpotless =
    isFirst &&
    subscription.heard.every(
      ({ heardSuccess, heardAtMs, begunAtMs, reaction }) =>
        begunAtMs > untilMs ||
        (heardSuccess && reaction.afterMs < SLOW_MS && heardAtMs! - begunAtMs < SLOW_MS),
    );
  const mayTakeMs = isSpotless ? WAY_MS : boundMs(fromMs, untilMs, subscription, world);
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

function boundMs(fromMs: number, untilMs: number, { heard, owed, plan }: Untouched, world: World): number {
  const { startedAtMs, policy } = world;
  const then = heard.filter(({ begunAtMs }) => begunAtMs <= untilMs);
  const answerMs = Math.max(100, ...then.map(({ heardAtMs, begunAtMs }) => heardAtMs! - begunAtMs));
  const waiting = owed.filter((one) => one.event.atMs <= untilMs && (successOf(one) ?? untilMs) >= fromMs);
  const span = { fromMs: fromMs - startedAtMs, untilMs: fromMs - startedAtMs + 1 };
  const taken = waiting.filter(({ event }) => takenSince(plan, event.input, span) !== undefined);
  // Newer ones that are reached sooner leave the end of the backlog to those behind them.
  const throughout = waiting.filter((one) => (successOf(one) ?? Number.POSITIVE_INFINITY) >= untilMs);
  const newest = throughout.toSorted((one, other) => other.event.atMs - one.event.atMs)[0];
  const oneIn = taken.includes(newest!) ? 0 : waiting.length / Math.max(1, taken.length);
  const { firstCoolDownMs, longestCoolDownMs } = policy.circuit;
  let coolDownMs = firstCoolDownMs + COOL_DOWN_SHARE * (fromMs - failingSince(then, fromMs));
  let rounds = 0;
  for (let left = ROUNDS + Math.ceil(ROUNDS_FOR_ONE_IN * oneIn); left > 0; left -= 1) {
    coolDownMs = Math.min(coolDownMs, longestCoolDownMs);
    rounds += coolDownMs + answerMs;
    coolDownMs *= GROWTH;
  }
  return START_MS + rounds + waiting.length * Math.max(EACH_MS, answerMs);
}

/** Since when it had failed again and again, with whatever successes in between. */
function failingSince(heard: Untouched['heard'], ms: number): number {
  let sinceMs = ms;
  for (const { heardSuccess, heardAtMs = 0 } of heard.toReversed()) {
    if (!heardSuccess && heardAtMs <= ms) {
      if (sinceMs - heardAtMs > 10 * MINUTE_MS) {
        break;
      }
      sinceMs = heardAtMs;
    }
  }
  return sinceMs;
}
