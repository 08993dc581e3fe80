import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import type { Waiting } from '../../functions/core/statistics/statistics-store.ts';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import type { Route } from '../app/route.ts';
import { lastAnswer } from '../messages/message-state.ts';
import { TEXT } from '../texts.ts';
import type { Sentence } from '../words/numbers.ts';
import { count, share } from '../words/numbers.ts';
import type { Tone } from '../words/tone.ts';

export interface Health {
  readonly tone: Tone;
  readonly word: string;
  readonly sentence: Sentence;
  /** The same without how much waits. */
  readonly why: Sentence;
}

/** The answer that most attempts ended with that failed, and its share of all attempts. */
export interface CommonFailure {
  /** A status code, or why none came. */
  readonly answer: string;
  /** More than 0, at most 1. */
  readonly share: number;
  /** A message that ended so. */
  readonly message: MessageSummary;
}

/** @param messages the latest ones; those without an attempt say nothing */
export function commonFailure(messages: readonly MessageSummary[]): CommonFailure | undefined {
  const attempted = messages.filter(({ last_attempt_at }) => last_attempt_at !== undefined);
  const failed = attempted.filter(({ last_failure_class }) => last_failure_class !== undefined);
  const groups = Map.groupBy(failed, (message) => lastAnswer(message) ?? '');
  const [common] = [...groups].sort(([, a], [, b]) => b.length - a.length);
  return (
    common && {
      answer: common[0],
      share: common[1].length / attempted.length,
      message: common[1][0] as MessageSummary,
    }
  );
}

/** Before when messages were accepted that have been tried in vain, however many have come since. */
export function firstTriedUntil(
  { in_trouble_since = '' }: Pick<SubscriptionView['circuit'], 'in_trouble_since'>,
  { oldest_admitted_at = '' }: Pick<Waiting, 'oldest_admitted_at'>,
): string | undefined {
  const last = in_trouble_since > oldest_admitted_at ? in_trouble_since : oldest_admitted_at;
  return last === '' ? undefined : new Date(Date.parse(last) + 1).toISOString();
}

interface Known {
  readonly waiting?: Waiting | undefined;
  readonly failure?: Pick<CommonFailure, 'answer' | 'share'> | undefined;
}

type Seen = Pick<
  SubscriptionView,
  'subscription_id' | 'state' | 'disabled_reason' | 'disabled_at' | 'challenge_id' | 'circuit'
> &
  Partial<Pick<SubscriptionView, 'delivery'>>;

/** How a subscription fares, in words. @param known what is known besides; without it less is said */
export function healthOf(subscription: Seen, known: Known = {}): Health {
  const { tone, word, why } = withoutQueue(subscription, known);
  return { tone, word, why, sentence: [...why, ...waitingWords(subscription, known.waiting)] };
}

/** Where the messages are that wait. */
export function waitingOf({ subscription_id: id, state, circuit, delivery }: Seen): Route {
  const isHeld = delivery === 'pull' || state !== 'active' || circuit.state !== 'closed';
  return { screen: 'messages', id, filter: { state: isHeld ? 'parked' : 'retrying' } };
}

function withoutQueue(
  { subscription_id: id, state, disabled_reason, disabled_at, challenge_id, circuit }: Seen,
  { failure }: Known,
): Omit<Health, 'sentence'> {
  if (state === 'unproven') {
    const { unproven, unprovenWhy, challenge: text, unprovenUntil } = TEXT.health;
    const challenge =
      challenge_id === undefined ? text : { to: { screen: 'message', id: challenge_id } as const, text };
    return { tone: 'waits', word: unproven, why: [unprovenWhy, challenge, '.', unprovenUntil] };
  }
  if (state === 'paused') {
    return { tone: 'off', word: TEXT.health.paused, why: [TEXT.health.pausedWhy] };
  }
  if (state === 'disabled') {
    const when = disabled_at === undefined ? [] : [TEXT.health.since, { at: disabled_at }];
    const reason = disabled_reason === undefined ? '' : `: ${TEXT.disabledReason[disabled_reason]}`;
    return {
      tone: 'bad',
      word: TEXT.health.disabled,
      why: [TEXT.health.disabled, ...when, `${reason}.`, TEXT.health.disabledUntil],
    };
  }
  const since = circuit.in_trouble_since ?? circuit.since;
  const sinceWords = since === undefined ? [] : [TEXT.health.since, { at: since }];
  switch (circuit.state) {
    case 'closed':
      return { tone: 'good', word: TEXT.health.closed, why: [TEXT.health.closedWhy] };
    case 'open':
    case 'half_open': {
      const { byHand, byHandWhy } = TEXT.health;
      if (circuit.state === 'open' && circuit.next_probe_at === undefined) {
        return { tone: 'off', word: byHand, why: [byHand, ...sinceWords, '.', byHandWhy] };
      }
      // It is counted over the latest of them.
      const text = failure && TEXT.health.answers(failure.answer, share(failure.share));
      const answers =
        text === undefined ? [] : [':', { to: { screen: 'messages', id, filter: {} }, text } as const];
      const next =
        circuit.next_probe_at === undefined
          ? [TEXT.health.probing]
          : [TEXT.health.nextTry, { away: circuit.next_probe_at }, '.'];
      return {
        tone: 'bad',
        word: TEXT.health.open,
        why: [TEXT.health.open, ...sinceWords, ...answers, '.', ...next],
      };
    }
    case 'draining':
      return { tone: 'waits', ...TEXT.health.drains[circuit.cause ?? 'failed'] };
  }
}

function waitingWords(subscription: Seen, waiting: Waiting | undefined): Sentence {
  if (waiting === undefined || waiting.count === 0) return [];
  const { count: number, is_more, oldest_admitted_at } = waiting;
  const words = {
    to: waitingOf(subscription),
    text: TEXT.health.waiting(`${is_more ? TEXT.health.more : ''}${count(number)}`),
  };
  return oldest_admitted_at === undefined
    ? [words, '.']
    : [words, TEXT.health.oldest, { at: oldest_admitted_at }, '.'];
}
