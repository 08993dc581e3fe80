import type { Answers } from '../attempt/answers.ts';
import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import type { In, InputOf, Trial } from './circuit.ts';

type Policy = DeliveryPolicy['circuit'];
export type Window = Pick<In<'draining'>, 'window' | 'trial'>;

/** Above this share of unwell answers since the last timer it is failing, as for gRPC's retry throttling. */
const MAX_UNWELL = 0.5;

/** With this many times the successes, a wider window has helped; with fewer, a narrower one has hurt. */
const HELPED = 1.2;
const HURT = 0.8;
/** What was kept is tried anew once successes have fallen below this share. */
const OUTDATED = 0.5;

/**
 * The next window of a drain. It doubles when there were answers, and stays when there were none. A refusal
 * is an answer. It halves when the subscription has more slow attempts under way than its share of the
 * stage's, and stops growing at half that share. While most answers are unwell, a trial finds out whether
 * that comes from the load.
 */
export function nextWindow(
  { window, trial }: Window,
  news: Answers,
  { drains, slow }: Pick<InputOf<'timer_fired'>, 'drains' | 'slow'>,
  policy: Policy,
): Window {
  const share = drains === undefined ? window : Math.floor(policy.widestWindowOfAll / drains);
  // Until answers come, all of its attempts may turn out to be slow.
  const slowShare = Math.floor(policy.slowOfAll / (drains ?? 1));
  const own = slow?.own ?? 0;
  const max = Math.min(policy.widestWindow, isAnswered(news) ? share : Math.min(share, slowShare));
  const bounded = (next: number) => Math.max(1, Math.min(next, max));
  if (own > Math.max(slowShare, policy.fewestCrowding)) {
    return { window: bounded(Math.floor(window / 2)) };
  }
  const mayGrow = own <= slowShare / 2;
  const isFailing = news.unwell > MAX_UNWELL * (news.succeeded + news.refused + news.unwell);
  if (isFailing) {
    const tried = nextTrial({ window, trial }, news.succeeded);
    return { ...tried, window: bounded(mayGrow ? tried.window : Math.min(tried.window, window)) };
  }
  return {
    window: bounded(isAnswered(news) && mayGrow ? 2 * window : window),
    ...(isAnswered(news) || trial === undefined ? {} : { trial }),
  };
}

export function isAnswered({ succeeded, refused }: Answers): boolean {
  return succeeded + refused > 0;
}

/**
 * The window halves for as long as that costs no successes: then it was the load. If it does, the endpoint
 * fails on what it is sent, however few at a time, and the window doubles for as long as that brings more
 * successes.
 */
function nextTrial({ window, trial }: Window, succeeded: number): { window: number; trial: Trial } {
  const step = stepAfter(trial, succeeded);
  switch (step) {
    case 'narrower':
      return { window: Math.floor(window / 2), trial: { window, succeeded, step } };
    case 'wider':
      return { window: 2 * window, trial: { window, succeeded, step } };
    case 'kept':
      return trial?.step === 'wider'
        ? { window: trial.window, trial: { ...trial, step } }
        : { window, trial: { ...(trial as Trial), step } };
  }
}

function stepAfter(trial: Trial | undefined, succeeded: number): Trial['step'] {
  switch (trial?.step) {
    case undefined:
      return 'narrower';
    case 'narrower':
      return succeeded >= HURT * trial.succeeded ? 'narrower' : 'wider';
    case 'wider':
      return succeeded > HELPED * trial.succeeded ? 'wider' : 'kept';
    case 'kept':
      return succeeded < OUTDATED * trial.succeeded ? 'narrower' : 'kept';
  }
}
