import type { MessageSummary, MessageView } from '../../functions/core/message/message-view.ts';
import { TEXT } from '../texts.ts';
import type { Sentence } from '../words/numbers.ts';
import type { Tone } from '../words/tone.ts';

type State = MessageSummary['state'];

const TONES: Readonly<Record<State, Tone>> = {
  succeeded: 'good',
  retrying: 'waits',
  parked: 'waits',
  exhausted: 'bad',
  cancelled: 'off',
};

export const toneOf = (state: State): Tone => TONES[state];
export const wordOf = (state: State): string => TEXT.messageState[state];

export function isFinal({ state }: Pick<MessageSummary, 'state'>): boolean {
  return state !== 'retrying' && state !== 'parked';
}

/** What the last attempt came to: `503`, `no connection`; undefined when there was none. */
export function lastAnswer({ last_status_code, last_failure_class }: MessageSummary): string | undefined {
  return last_status_code === undefined
    ? last_failure_class && TEXT.failureClass[last_failure_class]
    : String(last_status_code);
}

/** From the intake of its event to its end, in ms; undefined: it has not ended. */
export function tookMs({ admitted_at, ended_at }: MessageSummary): number | undefined {
  return ended_at === undefined ? undefined : Math.max(0, Date.parse(ended_at) - Date.parse(admitted_at));
}

/**
 * What became of a message, or what it waits for and until when.
 *
 * @param nextProbeAt when its endpoint is next tried, while its circuit is open
 * @param wait what it waits for, where its payment tells more
 */
export function fateOf(
  message: Pick<MessageView, 'state' | 'state_reason' | 'next_attempt_at' | 'ended_at' | 'expires_at'>,
  nextProbeAt?: string,
  wait?: Sentence,
): Sentence {
  const { state, state_reason, next_attempt_at, ended_at, expires_at } = message;
  const why = state_reason === undefined ? [] : [TEXT.stateReason[state_reason]];
  const end = ended_at === undefined ? [] : [{ at: ended_at }];
  const until = expires_at === undefined ? [] : [TEXT.fate.expires, { at: expires_at }, '.'];
  switch (state) {
    case 'succeeded':
      return [TEXT.fate.succeeded, ...end, '.'];
    case 'exhausted':
      return [TEXT.fate.exhausted, ...end, ':', ...why];
    case 'cancelled':
      // While a subscription is disabled, messages wait; that reason means something else here.
      return [
        TEXT.fate.cancelled,
        ...end,
        ':',
        ...(state_reason === 'disabled' ? [TEXT.fate.afterDisabled] : why),
      ];
    case 'retrying':
      return next_attempt_at === undefined
        ? [TEXT.fate.retrying, ...until]
        : [TEXT.fate.retrying, TEXT.health.nextTry, { away: next_attempt_at }, '.', ...until];
    case 'parked':
      return [
        ...(wait ?? why),
        ...(state_reason === 'circuit_open' && nextProbeAt !== undefined
          ? [TEXT.fate.nextOfAny, { away: nextProbeAt }, '.']
          : []),
        ...until,
      ];
  }
}
