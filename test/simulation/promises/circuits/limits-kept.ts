import { isFinal } from '../../../../functions/core/message/outcome.ts';
import type { Received } from '../../people/receivers.ts';
import type { World } from '../../world.ts';
import { type Check, type Line, nameOf } from '../evidence/backlog.ts';
import { saturatedMs } from '../evidence/saturation.ts';
import { allowanceMs, foundAfterMs } from '../evidence/touches.ts';
import { isAlwaysClosedBetween, writesOf } from './circuits-of.ts';

const SPANS_SECONDS = [3, 10];
/** What is signalled while no worker is free starts at once when one is: this many seconds' worth at most. */
const SHORTAGE_SECONDS = 4;
/** If nothing fails: the next circuit timer is brought forward. */
const SOON_MS = 5_000;
/** A timer that is due anyway is not brought forward, and its index may not show yet what has just joined. */
const NEAR_MS = 2_000;

/**
 * A subscription with a rate limit gets no more attempts a second, and not many fewer while messages wait.
 * Each turn of an ordering key is one attempt. Messages that wait for their turn say so.
 */
export const limitsKept: Check = (world, lines) =>
  world.subscriptions.flatMap(({ subscription_id }) => {
    const limitAt = limitsOf(subscription_id, world);
    if (limitAt === undefined) {
      return [];
    }
    const log = world.receivers.log.filter(({ subscriptionId }) => subscriptionId === subscription_id);
    const own = lines.filter(({ subscription }) => subscription.subscription_id === subscription_id);
    return [
      ...manyInOneTurn(log, limitAt),
      ...tooMany(log, limitAt, world),
      ...tooFew(log, own, limitAt, world),
      ...own.flatMap((backlog) => [
        ...unlimited(backlog, limitAt, world),
        ...forgotten(backlog, limitAt, world),
      ]),
    ].map((what) => `${subscription_id}: ${what}`);
  });

/** The rate limit at an instant; undefined without one. */
type LimitAt = (ms: number) => number | undefined;

function limitsOf(subscriptionId: string, { tables, plan }: World): LimitAt | undefined {
  const { rateLimit, changes } = plan.subscriptions[Number(subscriptionId.slice('sub_'.length))]!;
  const isEver = rateLimit !== undefined || changes.some(({ kind }) => kind === 'limit');
  return isEver ? (ms) => tables.subscriptions.settingsAt(subscriptionId, ms).rate_limit : undefined;
}

function manyInOneTurn(log: readonly Received[], limitAt: LimitAt): string[] {
  // A worker that read the subscription before it had a limit may continue without one.
  const limited = log.filter(
    ({ invocation, startedAtMs }) =>
      limitAt(invocation.startedAtMs) !== undefined && limitAt(startedAtMs) !== undefined,
  );
  const turns = Map.groupBy(limited, ({ invocation, key }) => `${invocation.name} ${key}`);
  return [...turns.values()].flatMap((requests) => {
    const [{ invocation, key }] = requests as [Received];
    const ofKey = invocation.records.filter(({ group }) => group === key);
    const isTurn = (body: string) =>
      body.includes('"signal_kind":"drain"') || body.includes('"signal_kind":"probe"');
    const signals = ofKey.filter(({ body }) => isTurn(body)).length;
    // A message that arrives while a probe is due needs no signal.
    const claims = ofKey.some(({ body }) => !body.includes('"signal_kind"')) ? 1 : 0;
    return requests.length > signals + claims
      ? [`${invocation.name} made ${requests.length} attempts of ${key} in ${signals} turns`]
      : [];
  });
}

function tooMany(log: readonly Received[], limitAt: LimitAt, world: World): string[] {
  const starts = log.map(({ startedAtMs }) => startedAtMs).sort((one, other) => one - other);
  // What is signalled within a second may start a second later; for a worker with a fast clock a second ends
  // sooner.
  const aheadSeconds = 1 + Math.ceil(world.plan.clocksDifferMs / 1_000);
  return SPANS_SECONDS.flatMap((seconds) => {
    const isOver = starts.some((ms, index) => {
      const isShort = saturatedMs(world, ms - 1_000 * SHORTAGE_SECONDS, ms + 1_000 * seconds) > 0;
      const bunchedSeconds = aheadSeconds + (isShort ? SHORTAGE_SECONDS : 0);
      const limits = [ms - 1_000 * bunchedSeconds, ms, ms + 500 * seconds, ms + 1_000 * seconds].map(limitAt);
      const max =
        Math.max(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY)) * (seconds + bunchedSeconds);
      return (
        Number.isFinite(max) &&
        (starts[index + max] ?? Number.POSITIVE_INFINITY) < ms + 1_000 * seconds &&
        !isHeldBack(log, ms, ms + 1_000 * seconds, world)
      );
    });
    return isOver ? [`got more attempts within ${seconds} s than its limit allows`] : [];
  });
}

/** A second takes a little longer: the way of a timer, and of its signals. */
const LEAST_SHARE = 0.7;
const LONG_MS = 10_000;
/** With a longer lag, the index shows what is done in the place of what waits. */
const LONGEST_LAG_MS = 5_000;

/** What receiving.md says: no more than this many seconds' worth are under way, so who takes longer gets fewer. */
const UNDER_WAY_SECONDS = 4;

/** While an ordering key waits for its turn, others have theirs, unless the endpoint takes too long for that. */
function tooFew(log: readonly Received[], own: readonly Line[], limitAt: LimitAt, world: World): string[] {
  const { plan } = world;
  const isDisturbed =
    plan.faults.untilMs > 0 ||
    plan.lagMs > LONGEST_LAG_MS ||
    plan.clocksDifferMs > LONGEST_LAG_MS / 10 ||
    plan.workers.deliver < 50;
  const waits = isDisturbed ? [] : own.flatMap((line) => waitsOf(line, plan.lagMs));
  const isSteady = ({ line, fromMs, untilMs }: (typeof waits)[number]) => {
    const at = (part: number) => limitAt(fromMs + part * (untilMs - fromMs));
    const isOneLimit = [0.25, 0.5, 0.75, 1].every((part) => at(part) === at(0));
    const isClosed = isAlwaysClosedBetween(line.subscription, fromMs, untilMs, world);
    // Without a secret a turn ends with an operator, not with an attempt.
    const isSigned = fromMs > world.startedAtMs + line.plan.secretlessUntilMs;
    return isOneLimit && isClosed && isSigned && saturatedMs(world, fromMs, untilMs) === 0;
  };
  return waits.filter(isSteady).flatMap(({ line, fromMs, untilMs }) => {
    const got = log.filter(({ begunAtMs }) => begunAtMs > fromMs && begunAtMs <= untilMs).length;
    const limit = limitAt(fromMs) ?? 0;
    const roomMs = untilMs - fromMs - fullMs(log, UNDER_WAY_SECONDS * limit, fromMs, untilMs, plan.lagMs);
    const least = (LEAST_SHARE * limit * roomMs) / 1_000;
    return got < Math.floor(least)
      ? [`${line.key} waited ${untilMs - fromMs} ms for its turn, and only ${got} attempts were made`]
      : [];
  });
}

/** How long within a span this many requests were under way, as the index that timers read shows it. */
function fullMs(
  log: readonly Received[],
  max: number,
  fromMs: number,
  untilMs: number,
  lagMs: number,
): number {
  const changes = log
    .flatMap(({ begunAtMs, heardAtMs, deadlineMs }) => [
      { atMs: begunAtMs, by: 1 },
      // The first timer that sees it gone is up to a second later.
      { atMs: (heardAtMs ?? deadlineMs) + lagMs + 1_000, by: -1 },
    ])
    .map(({ atMs, by }) => ({ atMs: Math.min(Math.max(atMs, fromMs), untilMs), by }))
    .sort((one, other) => one.atMs - other.atMs);
  let underWay = 0;
  let sinceMs = fromMs;
  let sumMs = 0;
  for (const { atMs, by } of changes) {
    sumMs += underWay >= max ? atMs - sinceMs : 0;
    underWay += by;
    sinceMs = atMs;
  }
  return sumMs;
}

/** From when the index shows that a message waits for its turn, until it has it. */
function waitsOf(line: Line, lagMs: number) {
  return line.messages.flatMap(({ writes, requests }) => {
    const { atMs, record } = writes[0] ?? {};
    const untilMs = requests[0]?.begunAtMs;
    const isStuck = writes.some((write) => write.record?.state_reason === 'fault');
    if (record?.state_reason !== 'rate_limited' || isStuck || atMs === undefined || untilMs === undefined) {
      return [];
    }
    const fromMs = atMs + lagMs + NEAR_MS;
    return untilMs - fromMs >= LONG_MS ? [{ line, fromMs, untilMs }] : [];
  });
}

/** A signal that a failure or a lack of workers has delayed arrives together with later ones. */
function isHeldBack(log: readonly Received[], fromMs: number, untilMs: number, world: World): boolean {
  return (
    world.plan.workers.deliver < 50 ||
    log
      .filter(({ startedAtMs }) => startedAtMs >= fromMs && startedAtMs < untilMs)
      .some(
        ({ key, subscriptionId }) => allowanceMs(world, [key, subscriptionId], fromMs - 60_000, untilMs) > 0,
      )
  );
}

/**
 * While active and closed, a new message is first on record as waiting for its turn, or behind one that
 * waits.
 */
function unlimited(backlog: Line, limitAt: LimitAt, world: World): string[] {
  return backlog.messages.flatMap((message) => {
    const { atMs, record: first } = message.writes[0] ?? {};
    if (first === undefined || atMs === undefined || limitAt(message.admittedAtMs) === undefined) {
      return [];
    }
    const isLimited = limitAt(atMs) !== undefined;
    const waits = first.state_reason === 'rate_limited' || first.state_reason === 'behind_earlier';
    const isExcused =
      !isLimited ||
      first.state_reason === 'fault' ||
      // A worker may have made its attempt without recording it.
      first.earlier_may_be_missing === true ||
      !isAlwaysClosedBetween(backlog.subscription, message.admittedAtMs, atMs, world);
    return !isExcused && (isFinal(first) === waits || (!waits && first.attempt_count > 0))
      ? [`${nameOf(message, backlog)} did not wait for its turn: ${first.state}, ${first.state_reason}`]
      : [];
  });
}

/** What waits for its turn gets it, even if the worker that blocked it could not set a timer. */
function forgotten(backlog: Line, limitAt: LimitAt, world: World): string[] {
  const { policy, endedAtMs } = world;
  const { subscription_id } = backlog.subscription;
  const circuitTimers = writesOf(subscription_id, world).filter(({ by }) => by.startsWith('wake'));
  const { idleMs, longestCoolDownMs } = policy.circuit;
  return backlog.messages.flatMap((message) =>
    message.writes
      .filter(({ atMs, record }) => {
        if (record?.state_reason !== 'rate_limited') {
          return false;
        }
        const isClosed = isAlwaysClosedBetween(backlog.subscription, 0, endedAtMs, world);
        const touchedMs = allowanceMs(world, [backlog.key, subscription_id], atMs, atMs + SOON_MS);
        // Behind any other circuit there are no turns, and a paused one is looked at as rarely as one that
        // has failed for long.
        const foundMs = isClosed ? idleMs : Math.max(idleMs, longestCoolDownMs);
        const isUntouched = touchedMs === 0 && isClosed;
        const untilMs = atMs + (isUntouched ? SOON_MS : foundMs + touchedMs + foundAfterMs(world));
        const isNear = (write: { readonly atMs: number }) => Math.abs(write.atMs - atMs) <= NEAR_MS;
        const isLater = (write: { readonly atMs: number }) => write.atMs > atMs && write.atMs <= untilMs;
        const isSeen =
          circuitTimers.some(isLater) || circuitTimers.some(isNear) || message.writes.some(isLater);
        return untilMs < endedAtMs && limitAt(untilMs) !== undefined && !isSeen;
      })
      .slice(0, 1)
      .map(() => `${nameOf(message, backlog)} waits for its turn, but never gets one`),
  );
}
