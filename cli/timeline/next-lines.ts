import type {
  MessageTimeline,
  SequenceTimeline,
  WaitsFor,
} from '../../functions/core/timeline/timeline-view.ts';
import { endedText, eventTexts, spanText } from './timeline-lines.ts';

const REASONS: Readonly<Record<Exclude<WaitsFor['reason'], 'next_attempt' | 'behind_earlier'>, string>> = {
  circuit_open: 'waits: the endpoint fails, and is probed now and then',
  catching_up: 'waits: what has waited is being sent, a few payments at a time',
  rate_limited: 'waits for its turn: the subscription has a rate limit',
  paused: 'waits: the subscription is paused',
  disabled: 'waits: the subscription is disabled',
  unproven: 'waits: the endpoint has yet to answer the challenge',
  to_be_pulled: 'waits: the partner has not pulled it yet',
  fault: 'waits: an internal error; an operator has to act',
};

/**
 * Each message with what it has become or what is next, as rows of subscription, event, words and id; the
 * oldest first.
 */
export function messageRows(
  messages: readonly MessageTimeline[],
  nameOf: (subscriptionId: string) => string,
  nowMs: number,
): string[][] {
  const eventOf = eventTexts(messages);
  return messages
    .map((message) => {
      const { subscription_id, message_id, waits_for } = message;
      const words = waits_for === undefined ? endedText(message).text : waitsText(waits_for, messages, nowMs);
      return [nameOf(subscription_id), eventOf(message), words, message_id];
    })
    .reverse();
}

function waitsText(
  { reason, until, message_id }: WaitsFor,
  messages: readonly MessageTimeline[],
  nowMs: number,
): string {
  switch (reason) {
    case 'next_attempt':
      return `↻ next attempt ${dueText(until, nowMs)}`;
    case 'behind_earlier': {
      const head = messages.find((message) => message.message_id === message_id);
      const name = head === undefined ? 'an earlier event of the payment' : eventTexts(messages)(head);
      const next =
        head?.waits_for?.reason === 'circuit_open' ? '; the endpoint is probed next' : ', which continues';
      return `… behind ${name}${until === undefined ? '' : `${next} ${dueText(until, nowMs)}`}`;
    }
    default:
      return `… ${REASONS[reason]}${until === undefined ? '' : `, next ${dueText(until, nowMs)}`}`;
  }
}

/** How far the sequence is, in sentences. */
export function sequenceLines(
  { next, next_awaited_until, early, missing, sent }: SequenceTimeline,
  messages: readonly MessageTimeline[],
  nameOf: (subscriptionId: string) => string,
  nowMs: number,
): string[] {
  const onTheWay = sent.filter(
    ({ message_id }) => !messages.some((message) => message.message_id === message_id),
  );
  return [
    `Number ${next} is next.`,
    ...(next_awaited_until === undefined
      ? []
      : [
          `It is waited for until ${readable(next_awaited_until)} at most (${inText(next_awaited_until, nowMs)}), by ${early.map(({ sequence }) => sequence).join(', ')}.`,
        ]),
    ...(missing.length === 0 ? [] : [`Not come, and not waited for any more: ${missing.join(', ')}.`]),
    ...onTheWay.map(
      ({ subscription_id, message_id }) =>
        `Not shown here: ${message_id}, the last message sent to ${nameOf(subscription_id)}. It may be on its way.`,
    ),
  ];
}

function dueText(until: string | undefined, nowMs: number): string {
  return until === undefined ? 'at no set time' : `at ${readable(until)} (${inText(until, nowMs)})`;
}

function inText(until: string, nowMs: number): string {
  const ms = Date.parse(until) - nowMs;
  return ms <= 0 ? 'due now' : `in ${spanText(ms)}`;
}

/** An instant in UTC without milliseconds. */
function readable(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`;
}
