import { type Answers, answersBetween } from '../attempt/answers.ts';
import { instant } from '../text/instant.ts';
import type { BacklogView, Circuit, In, InputOf } from './circuit.ts';
import { roomFor, type SlowAttempts } from './crowding.ts';
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

type Policy = Context['policy'];

/** Of the answers since the last tick: with more than this unwell, the window halves. As gRPC's retry throttling, which lets as many fail as succeed. */
const MAX_UNWELL = 0.5;
/** Whoever asks for fewer requests means it: a tenth of the answers is enough. */
const MAX_OVERLOADED = 0.1;

/** Begins a drain. Whatever there was counts no more, nor does the cool-down of one that nobody probed. */
export function startDrain(
  circuit: Circuit,
  _input: InputOf<'resumed'>,
  { nowMs, policy }: Context,
): Circuit {
  const { cool_down_ms: _, ...begun } = drain(forgetStreak(circuit), nowMs, policy);
  return begun;
}

/** Closed as at the end of a drain: the ticks go on, for somebody may still park a key on an old reading, and the line's index may lag. */
export function shut(circuit: Circuit, _input: InputOf<'shut'>, { nowMs, policy }: Context): Circuit {
  return close(forgetStreak(circuit), nowMs, policy);
}

function close(circuit: Circuit, nowMs: number, { tickMs }: Policy): In<'closed'> {
  const closed: In<'closed'> = {
    ...lastingOf(circuit),
    failed_keys: [],
    slow_keys: [],
    state: 'closed',
    since: instant(nowMs),
  };
  return withTimer(closed, nowMs + tickMs);
}

/** One tick of a drain: open again when all fails, closed when for long enough nothing had to wait, else the next window. */
export function drainOn(circuit: In<'draining'>, input: InputOf<'ticked'>, context: Context): Circuit {
  const { nowMs, policy } = context;
  const { backlog, answers, isDeleted = false } = input;
  if (isDeleted) {
    return backlog.keys.length === 0
      ? close(circuit, nowMs, policy)
      : withTimer({ ...circuit, window: policy.widestWindow }, nowMs + policy.tickMs);
  }
  const news = answersBetween(circuit.answers, answers);
  const failed_in_a_row = failedInARow(circuit, news);
  const told: In<'draining'> = { ...streak(circuit, news, nowMs), failed_in_a_row };
  if (failed_in_a_row >= maxInARow(circuit, policy)) {
    const resume_with = Math.floor(circuit.window / 2);
    return open({ ...told, resume_with }, longer(circuit.cool_down_ms, policy), nowMs);
  }
  const quiet_since = isQuiet(circuit, backlog, context)
    ? (circuit.quiet_since ?? instant(nowMs))
    : undefined;
  const quietMs = circuit.cause === 'crowded' ? policy.crowdedQuietMs : policy.quietMs;
  if (quiet_since !== undefined && nowMs - Date.parse(quiet_since) >= quietMs) {
    return close(told, nowMs, policy);
  }
  const { waits_for_room: _, quiet_since: __, answers: known, cool_down_ms, ...rest } = told;
  const window = nextWindow(circuit, news, input, policy);
  const reading = answers ?? known;
  return withTimer(
    {
      ...rest,
      window,
      ...(hasRoom(news, input.slow, policy) ? {} : { waits_for_room: true as const }),
      ...(reading === undefined ? {} : { answers: reading }),
      ...(cool_down_ms === undefined ? {} : { cool_down_ms: coolDownAfter(cool_down_ms, news, policy) }),
      ...(quiet_since === undefined ? {} : { quiet_since }),
    },
    nowMs + policy.tickMs,
  );
}

/** Nobody waits for a turn. With more keys in hand than may be, as when the window has just shrunk, nobody sees who stands behind them. */
function isQuiet({ window }: In<'draining'>, { keys }: BacklogView, { nowMs, policy }: Context): boolean {
  const old = keys.filter(({ parkedAtMs }) => nowMs - parkedAtMs > policy.freshMs);
  return old.length <= window && old.every(({ isInHand }) => isInHand);
}

/**
 * Halves when more than half of the answers were unwell, or a tenth asked for fewer; doubles when it was answered; stays while it is not. A refusal is an
 * answer. With more slow attempts under way than its share of the stage's it halves, too, and from half of that share on it grows no wider.
 */
function nextWindow(
  { window }: In<'draining'>,
  news: Answers,
  { drains, slow }: InputOf<'ticked'>,
  policy: Policy,
): number {
  const all = news.succeeded + news.refused + news.overloaded + news.unwell;
  const isUnwell = news.unwell + news.overloaded > MAX_UNWELL * all;
  const isOverloaded = news.overloaded > MAX_OVERLOADED * all;
  const share = drains === undefined ? window : Math.floor(policy.widestWindowOfAll / drains);
  // Until it is answered, all of its attempts may turn out to be slow.
  const slowShare = Math.floor(policy.slowOfAll / (drains ?? 1));
  const own = slow?.own ?? 0;
  const isHalved = isUnwell || isOverloaded || own > Math.max(slowShare, policy.fewestCrowding);
  const grown = isAnswered(news) && own <= slowShare / 2 ? 2 * window : window;
  const max = Math.min(policy.widestWindow, isAnswered(news) ? share : Math.min(share, slowShare));
  return Math.max(1, Math.min(isHalved ? Math.floor(window / 2) : grown, max));
}

function isAnswered({ succeeded, refused }: Answers): boolean {
  return succeeded + refused > 0;
}

/** While the stage has no room for more that may hang, whoever was not answered since the last tick sends nothing. */
function hasRoom(news: Answers, slow: SlowAttempts | undefined, policy: Policy): boolean {
  return slow === undefined || isAnswered(news) || roomFor(slow.all, policy) > 0;
}

function failedInARow({ failed_in_a_row = 0 }: In<'draining'>, news: Answers): number {
  const failed = news.refused + news.overloaded + news.unwell;
  return news.succeeded > 0 ? 0 : failed_in_a_row + failed;
}

/** As many as open a closed circuit; fewer while the window is narrow, since each failure uses up a part of its message's schedule. */
function maxInARow({ window }: In<'draining'>, { failedKeys, firstWindow }: Policy): number {
  return Math.min(failedKeys, Math.max(firstWindow, 2 * window));
}

function streak(circuit: In<'draining'>, news: Answers, nowMs: number): In<'draining'> {
  if (news.succeeded > 0) {
    return forgetStreak(circuit);
  }
  const hasFailed = news.refused + news.overloaded + news.unwell > 0;
  return hasFailed ? { ...circuit, failing_since: circuit.failing_since ?? instant(nowMs) } : circuit;
}

/** A tick with more successes than failures makes up for one that was in vain: an endpoint that comes and goes is found again soon. */
function coolDownAfter(
  coolDownMs: number,
  { succeeded, overloaded, unwell }: Answers,
  policy: Policy,
): number {
  return succeeded > overloaded + unwell
    ? Math.max(policy.firstCoolDownMs, Math.round(coolDownMs / 2))
    : coolDownMs;
}

/**
 * After a drain the ticks go on for a while, less and less often: somebody may still park a key on an old reading, and the index of the line may lag by
 * minutes. Those of a rate limit never end, and are few while nobody waits.
 */
export function lookForStragglers(
  circuit: In<'closed'>,
  { backlog, isLimited = false }: InputOf<'ticked'>,
  { nowMs, policy }: Context,
): Circuit {
  const isEmpty = backlog.keys.length === 0;
  if (isLimited || !isEmpty) {
    return withTimer(circuit, nowMs + (isEmpty ? policy.idleMs : policy.tickMs));
  }
  const closedForMs = nowMs - Date.parse(circuit.since ?? instant(0));
  // Whoever was told that many wait has still to hear that there are fewer.
  const areMany = circuit.backlog?.since !== undefined;
  if (closedForMs < policy.tailMs) {
    const sleepMs = Math.min(
      Math.round(closedForMs / 2),
      areMany ? policy.countEveryMs : policy.longestCoolDownMs,
    );
    return withTimer(circuit, nowMs + Math.max(policy.tickMs, sleepMs));
  }
  return areMany ? withTimer(circuit, nowMs + policy.countEveryMs) : withoutTimer(circuit);
}

/** The next tick is now, unless it is near anyway. */
export function lookSoon(
  circuit: In<'closed'>,
  _input: InputOf<'joined'>,
  { nowMs, policy }: Context,
): Circuit {
  const isNear = circuit.tick_at !== undefined && Date.parse(circuit.tick_at) <= nowMs + policy.tickMs;
  return isNear ? circuit : withTimer(circuit, nowMs);
}
