import { type Answers, answersBetween } from '../attempt/answers.ts';
import { instant } from '../text/instant.ts';
import type { BacklogView, Circuit, In, InputOf } from './circuit.ts';
import { roomFor, type SlowAttempts } from './crowding.ts';
import { nextRate } from './overload.ts';
import {
  type Context,
  drain,
  forgetStreak,
  lastingOf,
  longer,
  open,
  withoutTimer,
  withTimer,
} from './states.ts';
import { isAnswered, nextWindow } from './window.ts';

type Policy = Context['policy'];

/** Starts a drain. Earlier failures are forgotten, and so is a cool-down that no probe has ended. */
export function startDrain(
  circuit: Circuit,
  _input: InputOf<'resumed'>,
  { nowMs, policy }: Context,
): Circuit {
  return { ...drain(forgetStreak(circuit), nowMs, policy), spreads: true };
}

/**
 * Closes as at the end of a drain. The timer continues: a worker with a stale read may still block an
 * ordering key, and the index of the backlog may lag.
 */
export function shut(circuit: Circuit, _input: InputOf<'shut'>, { nowMs, policy }: Context): Circuit {
  return close(forgetStreak(circuit), nowMs, policy);
}

function close(circuit: Circuit, nowMs: number, { timerMs }: Policy): In<'closed'> {
  const { rate: _, ...lasting } = lastingOf(circuit);
  const closed: In<'closed'> = {
    ...lasting,
    state: 'closed',
    since: instant(nowMs),
  };
  return withTimer(closed, nowMs + timerMs);
}

/**
 * One step of a drain: open again when everything fails, closed when nothing has had to wait for long enough,
 * else the next window.
 */
export function drainOn(circuit: In<'draining'>, input: InputOf<'timer_fired'>, context: Context): Circuit {
  const { nowMs, policy } = context;
  const { backlog, answers, isDeleted = false } = input;
  if (isDeleted) {
    return backlog.keys.length === 0
      ? close(circuit, nowMs, policy)
      : withTimer({ ...circuit, window: policy.widestWindow }, nowMs + policy.timerMs);
  }
  const news = answersBetween(circuit.answers, answers);
  const failed_in_a_row = failedInARow(circuit, news);
  const counted: In<'draining'> = { ...streak(circuit, news, nowMs), failed_in_a_row };
  if (failed_in_a_row >= maxInARow(circuit, policy)) {
    const resume_with = Math.floor(circuit.window / 2);
    // What it has learned of an overloaded endpoint stays: the next drain begins with that.
    const { rate } = nextRate(circuit, news);
    const learned = { ...counted, ...(rate === undefined ? {} : { rate }), resume_with };
    return open(learned, longer(circuit.cool_down_ms, policy), nowMs);
  }
  const quiet_since = isQuiet(circuit, backlog, context)
    ? (circuit.quiet_since ?? instant(nowMs))
    : undefined;
  const quietMs = circuit.cause === undefined ? policy.quietMs : policy.crowdedQuietMs;
  if (quiet_since !== undefined && nowMs - Date.parse(quiet_since) >= quietMs) {
    return close(counted, nowMs, policy);
  }
  const { cool_down_ms } = counted;
  const reading = answers ?? counted.answers;
  return withTimer(
    {
      ...withSpread(withoutDecisions(counted), news),
      ...nextWindow(circuit, news, input, policy),
      ...nextRate(circuit, news),
      ...(hasRoom(news, input.slow, policy) ? {} : { waits_for_room: true as const }),
      ...(reading === undefined ? {} : { answers: reading }),
      ...(cool_down_ms === undefined ? {} : { cool_down_ms: coolDownAfter(cool_down_ms, news, policy) }),
      ...(quiet_since === undefined ? {} : { quiet_since }),
    },
    nowMs + policy.timerMs,
  );
}

/** Without what each timer decides anew. */
function withoutDecisions({
  trial,
  rate,
  calm_timers,
  waits_for_room,
  answers,
  cool_down_ms,
  quiet_since,
  ...lasting
}: In<'draining'>) {
  return lasting;
}

/**
 * Nothing waits for its turn. While more ordering keys are in hand than the window allows, as when it has
 * just shrunk, the keys behind them cannot be seen. What an overloaded endpoint refused waits for its own
 * time: without the drain all of it would be sent at once.
 */
function isQuiet(
  { window, rate }: In<'draining'>,
  { keys }: BacklogView,
  { nowMs, policy }: Context,
): boolean {
  const freshMs = rate === undefined ? policy.freshMs : -policy.quietMs;
  const old = keys.filter(({ backloggedAtMs }) => nowMs - backloggedAtMs > freshMs);
  return rate === undefined
    ? old.length <= window && old.every(({ isInHand }) => isInHand)
    : old.length === 0;
}

/** Takes the window from the head alone once answers came and none of them was a failure. */
function withSpread<C extends Omit<In<'draining'>, 'trial'>>({ spreads, ...rest }: C, news: Answers) {
  const hasFailed = news.refused + news.unwell > 0;
  const isKept = spreads === true && news.succeeded === 0;
  return hasFailed || isKept ? { ...rest, spreads: true as const } : rest;
}

/**
 * While the stage has no room for more slow attempts, a subscription without answers since the last timer
 * sends nothing.
 */
function hasRoom(news: Answers, slow: SlowAttempts | undefined, policy: Policy): boolean {
  return slow === undefined || isAnswered(news) || roomFor(slow.all, policy) > 0;
}

function failedInARow({ failed_in_a_row = 0 }: In<'draining'>, news: Answers): number {
  const failed = news.refused + news.overloaded + news.unwell;
  return news.succeeded > 0 ? 0 : failed_in_a_row + failed;
}

/**
 * As many as open a closed circuit. Fewer while the window is narrow: each failure uses up one attempt of its
 * message's schedule.
 */
function maxInARow({ window }: In<'draining'>, { failedOrderingKeys, firstWindow }: Policy): number {
  return Math.min(failedOrderingKeys, Math.max(firstWindow, 2 * window));
}

function streak(circuit: In<'draining'>, news: Answers, nowMs: number): In<'draining'> {
  if (news.succeeded > 0) {
    return forgetStreak(circuit);
  }
  const hasFailed = news.refused + news.overloaded + news.unwell > 0;
  return hasFailed ? { ...circuit, failing_since: circuit.failing_since ?? instant(nowMs) } : circuit;
}

/**
 * An interval with a success undoes some failed cool-downs, so an endpoint that comes and goes, or takes only
 * some payments, is found again soon.
 */
function coolDownAfter(coolDownMs: number, { succeeded }: Answers, policy: Policy): number {
  return succeeded > 0 ? Math.max(policy.firstCoolDownMs, Math.round(coolDownMs / 2)) : coolDownMs;
}

/** By how much longer a limited backlog that looks empty is left alone each time. */
const LOOKS_GROWTH = 4;

/**
 * After a drain the timer continues for a while, less and less often: a worker with a stale read may still
 * block an ordering key, and the index of the backlog may lag by minutes. The timer of a rate limit never
 * ends, and is slow once nothing has waited for some time.
 */
export function lookForStragglers(
  circuit: In<'closed'>,
  { backlog, isLimited = false }: InputOf<'timer_fired'>,
  { nowMs, policy }: Context,
): Circuit {
  const [first] = backlog.keys;
  // What an overloaded endpoint refused may wait for a later time.
  const dueAtMs = first?.backloggedAtMs ?? Number.POSITIVE_INFINITY;
  const { idle_timers = Number.POSITIVE_INFINITY, ...rest } = circuit;
  if (dueAtMs <= nowMs + policy.timerMs) {
    return withTimer({ ...rest, ...(isLimited ? { idle_timers: 0 } : {}) }, nowMs + policy.timerMs);
  }
  if (isLimited) {
    const sleepMs = Math.min(policy.idleMs, policy.timerMs * LOOKS_GROWTH ** idle_timers);
    const looks = sleepMs < policy.idleMs ? { idle_timers: idle_timers + 1 } : {};
    return withTimer({ ...rest, ...looks }, Math.min(nowMs + sleepMs, dueAtMs));
  }
  const closedForMs = nowMs - Date.parse(circuit.since ?? instant(0));
  // `messages.waiting` was reported: `messages.waiting.eased` must follow.
  const areMany = circuit.backlog_size?.since !== undefined;
  const longestMs = areMany ? policy.countEveryMs : policy.longestCoolDownMs;
  if (closedForMs >= policy.tailMs && first === undefined) {
    return areMany ? withTimer(rest, nowMs + longestMs) : withoutTimer(rest);
  }
  const sleepMs = Math.max(policy.timerMs, Math.min(Math.round(closedForMs / 2), longestMs));
  return withTimer(rest, Math.min(nowMs + sleepMs, dueAtMs));
}

/**
 * The next timer fires now, unless it is due soon anyway. `idle_timers` says so by no clock: to a worker
 * whose clock is seconds behind, a timer that is due is still to come, and each message would bring it
 * forward.
 */
export function lookSoon(
  circuit: In<'closed'>,
  _input: InputOf<'joined'>,
  { nowMs, policy }: Context,
): Circuit {
  if (circuit.idle_timers === 0) {
    return circuit;
  }
  const isNear = circuit.timer_at !== undefined && Date.parse(circuit.timer_at) <= nowMs + policy.timerMs;
  const expectant = { ...circuit, idle_timers: 0 };
  return isNear ? expectant : withTimer(expectant, nowMs);
}
