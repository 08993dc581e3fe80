import type { MessageSummary, MessageView } from '../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { spanText } from '../../timeline/timeline-lines.ts';
import type { Statistics } from '../commands/statistics.ts';
import { type MessagePage, messagePage } from '../partner.ts';
import { subscriptionId, type ToolWorld, tool } from './tool.ts';

/** As many of the newest messages tell what an endpoint answers now. */
const EXAMINED = '50';

export const explainEndpoint = tool({
  name: 'explain_endpoint',
  title: 'Say how an endpoint fares',
  description:
    'Says in sentences why the endpoint of a subscription fails, or that it does not, and what is next: its state, its circuit, what it answered most often of the newest 50 messages, and how many messages wait. Gives the subscription, counts by hour (times to send and to acknowledge in ms), and the newest failed message with its last attempt (duration_ms).',
  input: { subscription_id: subscriptionId },
  async run({ subscription_id }, { api, now }) {
    const path = `/subscriptions/${subscription_id}`;
    const [subscription, { periods, waiting }, { messages }] = (await Promise.all([
      api('GET', path),
      api('GET', `${path}/statistics`),
      messagePage(api, subscription_id, { limit: EXAMINED }),
    ])) as [SubscriptionView, Statistics, MessagePage];
    const failed = messages.find(hasFailed);
    const shown = failed && (await failureOf(failed, api));
    return {
      sentences: [
        ...stateSentences(subscription, now()),
        ...answersSentences(messages),
        ...waitingSentences(waiting, now()),
      ],
      data: {
        subscription,
        waiting,
        hours: periods.filter(({ delivered, failed_attempts }) => delivered + failed_attempts > 0),
        ...(shown === undefined ? {} : { newest_failed_message: shown }),
      },
    };
  },
});

const hasFailed = ({ last_failure_class }: MessageSummary) => last_failure_class !== undefined;

async function failureOf(message: MessageSummary, api: ToolWorld['api']) {
  const { attempts } = (await api('GET', `/messages/${message.message_id}`)) as MessageView;
  return { ...message, last_attempt: attempts.at(-1) };
}

const DISABLED: Readonly<Record<NonNullable<SubscriptionView['disabled_reason']>, string>> = {
  gone: 'its endpoint answered 410',
  asked_by_receiver: 'its endpoint asked for that in an answer',
  failing: 'nothing but failures for five days',
};

const DRAINS = {
  crowded: 'because the endpoint is slow',
  overloaded: 'because it asked for fewer requests',
  failed: 'because it recovers from failures',
} as const;

function stateSentences(subscription: SubscriptionView, nowMs: number): string[] {
  const { subscription_id, delivery, state, disabled_reason, circuit } = subscription;
  const since = circuit.in_trouble_since ?? circuit.since;
  const sinceText = since === undefined ? '' : ` since ${since} (${spanText(nowMs - Date.parse(since))})`;
  if (state === 'unproven') {
    return [`${subscription_id} is unproven: its messages wait until its endpoint answers a challenge.`];
  }
  if (state !== 'active') {
    const why = disabled_reason === undefined ? '' : `: ${DISABLED[disabled_reason]}`;
    return [
      `${subscription_id} is ${state}${why}. Nothing is sent: messages wait, for 76 hours at most, until it is enabled.`,
    ];
  }
  if (delivery === 'pull') {
    return [`${subscription_id} is active. Its messages wait until its partner pulls them.`];
  }
  switch (circuit.state) {
    case 'closed':
      return [`${subscription_id} is active, its circuit closed: messages are sent as they come.`];
    case 'draining':
      return [
        `Its circuit is draining${sinceText}, ${DRAINS[circuit.cause ?? 'failed']}: the backlog is sent, a few payments at a time.`,
      ];
    default: {
      const { next_probe_at: probe } = circuit;
      const isByHand = circuit.state === 'open' && probe === undefined;
      return [
        `Its circuit is ${circuit.state.replace('_', '-')}${sinceText}: ${isByHand ? 'an operator opened it' : 'too many payments failed'}. Messages wait, in order.`,
        isByHand
          ? 'Nothing is sent, not even a probe, until the operator closes it.'
          : `The endpoint is probed ${probe === undefined ? 'now' : `next at ${probe}`}; once it answers with 2xx, the backlog is sent.`,
      ];
    }
  }
}

function answersSentences(messages: readonly MessageSummary[]): string[] {
  const tried = messages.filter(({ last_attempt_at }) => last_attempt_at !== undefined);
  const failed = tried.filter(hasFailed);
  const groups = Map.groupBy(failed, (one) => String(one.last_status_code ?? one.last_failure_class));
  const [common] = [...groups].sort(([, one], [, other]) => other.length - one.length);
  return common === undefined
    ? [`Of the newest ${tried.length} messages that were tried, none failed at its last attempt.`]
    : [
        `Of the newest ${tried.length} messages that were tried, ${failed.length} failed at their last attempt, ${common[1].length} of them with ${common[0]}.`,
      ];
}

export function waitingSentences(
  { count, is_more, oldest_admitted_at: oldest }: Statistics['waiting'],
  nowMs: number,
): string[] {
  const age = oldest === undefined ? '' : `, the oldest for ${spanText(nowMs - Date.parse(oldest))}`;
  return [`Messages that wait: ${is_more ? 'more than ' : ''}${count}${age}.`];
}
