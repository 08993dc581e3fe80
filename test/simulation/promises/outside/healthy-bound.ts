import { takenSince } from '../../people/taking.ts';
import type { World } from '../../world.ts';
import { isOverload, type Owed, successOf, type Untouched } from './owed.ts';

/**
 * How many rounds of probes may miss what an endpoint takes: this many, and two more for each payment that a
 * healthy one waits among. If every third one is healthy, nine.
 */
const ROUNDS = 3;
const ROUNDS_FOR_ONE_IN = 2;
/** Or this many if the last page of the backlog is healthy: one of it is probed each time. */
const ROUNDS_AT_END = 3;
/** Else chance decides which: with this many for each payment that a healthy one waits among, in 99.999 %. */
const ROUNDS_BY_CHANCE = 12;
const AT_END = 25;
/** Then all that waits is attempted at this pace at least, or as slowly as the endpoint answers. */
const EACH_MS = 1_000;
/** Whole seconds of SQS, circuit timers, a timer of a retry. */
const START_MS = 15_000;
/** The part of the time since its failures began that a cool-down has become at most. */
const COOL_DOWN_SHARE = 0.25;
const GROWTH = 1.25;
const MINUTE_MS = 60_000;

/** `freeMs`: from when on nothing of its payment is before it; undefined if something may be for long. */
export interface Freed extends Owed {
  readonly freeMs: number | undefined;
}

export interface Judged extends Untouched {
  readonly owed: readonly Freed[];
}

export interface Wait {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** How long a healthy payment may wait, whatever the endpoint does with other payments. */
export function boundMs(wait: Wait, subscription: Judged, world: World): number {
  const { fromMs, untilMs } = wait;
  const { heard, owed } = subscription;
  const then = heard.filter(({ begunAtMs }) => begunAtMs <= untilMs);
  const answerMs = Math.max(100, ...then.map(({ heardAtMs, begunAtMs }) => heardAtMs! - begunAtMs));
  const waiting = owed.filter((one) => one.event.atMs <= untilMs && (successOf(one) ?? untilMs) >= fromMs);
  // Those that are reached sooner leave the end of the backlog to those before them.
  const left = waiting.filter((one) => (successOf(one) ?? Number.POSITIVE_INFINITY) >= untilMs);
  const failingMs = failingSince(then, fromMs);
  // An endpoint that asks for fewer requests may get one probe a round.
  const isPaced = then.some(isOverload);
  const rounds = (count: number) => count * (isPaced ? world.policy.circuit.firstWindow : 1);
  const untilFound = (sinceMs: number, count: number) =>
    sinceMs - fromMs + roundsMs(rounds(count), sinceMs - failingMs, answerMs, world);
  // The last of them waits among more that are not: others like it have left.
  const amongAll = [waiting, left].map((some) =>
    amongHowMany(waitingPayments(some, wait, subscription, world)),
  );
  const anywhere = untilFound(fromMs, ROUNDS + ROUNDS_FOR_ONE_IN * Math.max(...amongAll));
  let among = 1;
  const atEnd = waitingPayments(left, wait, subscription, world).map(({ sinceMs }, index, all) => {
    // Since it came, the end of the backlog has been this, and then what each newer one made of it.
    among = Math.max(among, amongHowMany(all.slice(index, index + AT_END)));
    return untilFound(Math.max(fromMs, sinceMs), among === 1 ? ROUNDS_AT_END : ROUNDS_BY_CHANCE * among);
  });
  return START_MS + Math.min(anywhere, ...atEnd) + waiting.length * Math.max(EACH_MS, answerMs);
}

interface WaitingPayment {
  readonly sinceMs: number;
  readonly isHealthy: boolean;
}

/** Newest first. Healthy ones have an event with nothing before it that their endpoint takes all the time. */
function waitingPayments(
  waiting: readonly Freed[],
  { fromMs, untilMs }: Wait,
  { plan }: Judged,
  { startedAtMs }: World,
): WaitingPayment[] {
  const isHealthy = ({ event, freeMs = Number.POSITIVE_INFINITY }: Freed) => {
    const span = { fromMs: Math.max(fromMs, freeMs) - startedAtMs, untilMs: untilMs - startedAtMs };
    return span.fromMs < span.untilMs && takenSince(plan, event.input, span) === span.fromMs;
  };
  return [...Map.groupBy(waiting, ({ event }) => event.paymentId).values()]
    .map((events) => {
      const healthy = events.find(isHealthy);
      return {
        sinceMs: healthy?.freeMs ?? Math.min(...events.map(({ event }) => event.atMs)),
        isHealthy: healthy !== undefined,
      };
    })
    .sort((one, other) => other.sinceMs - one.sinceMs);
}

function amongHowMany(payments: readonly WaitingPayment[]): number {
  return payments.length / payments.filter(({ isHealthy }) => isHealthy).length;
}

/** How long rounds of probes take, after so long a time of failures. */
function roundsMs(count: number, failingMs: number, answerMs: number, { policy }: World): number {
  const { firstCoolDownMs, longestCoolDownMs } = policy.circuit;
  if (!Number.isFinite(count)) {
    return count;
  }
  let coolDownMs = firstCoolDownMs + COOL_DOWN_SHARE * failingMs;
  let ms = 0;
  for (let left = Math.ceil(count); left > 0; left -= 1) {
    coolDownMs = Math.min(coolDownMs, longestCoolDownMs);
    ms += coolDownMs + answerMs;
    coolDownMs *= GROWTH;
  }
  return ms;
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
