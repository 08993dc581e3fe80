import * as z from 'zod';
import { MESSAGE_STATES } from '../../../functions/core/message/message.ts';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import type { PaymentTimeline } from '../../../functions/core/timeline/timeline-view.ts';
import { messageRows, sequenceLines } from '../../timeline/next-lines.ts';
import { isMissing } from '../api-client.ts';
import { paymentPage } from '../commands/payment.ts';
import type { Statistics } from '../commands/statistics.ts';
import { messagePage } from '../partner.ts';
import { waitingSentences } from './endpoint-tool.ts';
import { messageId, page, paymentId, subscriptionId, tool } from './tool.ts';

const instant = (what: string) =>
  z.string().max(40).optional().describe(`${what}, such as 2026-11-14T10:00:00Z`);

export const showPayment = tool({
  name: 'show_payment',
  title: 'Show the timeline of a payment',
  description:
    'Where the webhooks of a payment are, and what is next: sentences first, then all that happened to each message (newest message first, its entries in order of time; duration_ms in milliseconds, instants in UTC), what each waits for and until when, and which numbered event is missing.',
  input: { payment_id: paymentId, ...page },
  async run({ payment_id, limit, cursor }, { api, now }) {
    const timeline: PaymentTimeline = await paymentPage(api, payment_id, limit, cursor);
    const { messages, sequence } = timeline;
    const nameOf = (id: string) => id;
    return {
      sentences: [
        ...messageRows(messages, nameOf, now()).map((row) => row.join('  ')),
        ...(sequence === undefined ? [] : sequenceLines(sequence, messages, nameOf, now())),
      ],
      data: timeline,
    };
  },
});

export const listMessages = tool({
  name: 'list_messages',
  title: 'List the messages of a subscription',
  description:
    'The messages of a subscription, newest first, of one state, payment, event type or period. states: retrying and parked wait, succeeded was delivered, exhausted was given up, cancelled is not wanted any more; state_reason says why. held_ms and time_to_send_ms in milliseconds. Page until next_cursor is absent.',
  input: {
    subscription_id: subscriptionId,
    state: z.enum(MESSAGE_STATES).optional(),
    payment_id: paymentId.optional(),
    event_type: z.string().max(100).optional().describe('The name of an event type'),
    since: instant('Accepted at or after'),
    until: instant('Accepted before'),
    ...page,
  },
  async run({ subscription_id, limit, ...filter }, { api }) {
    const found = await messagePage(api, subscription_id, { ...filter, limit: String(limit) });
    return { sentences: [`${found.messages.length} messages on this page.`], data: found };
  },
});

const UNDELIVERED = ['exhausted', 'retrying', 'parked'] as const;

export const listUndelivered = tool({
  name: 'list_undelivered',
  title: 'List what was given up and what waits',
  description:
    'Of each subscription of the service, or of one: its newest messages that were given up (exhausted), and those that wait (retrying after a failed attempt; parked until state_reason is over), with the number that waits, counted up to 1,000. Subscriptions without any are left out.',
  input: {
    subscription_id: subscriptionId.optional(),
    since: instant('Accepted at or after'),
    limit: page.limit.default(10).describe('How many messages of each state and subscription, 1 to 50'),
  },
  async run({ subscription_id, since, limit }, { api, now }) {
    const all =
      subscription_id === undefined
        ? ((await api('GET', '/subscriptions')) as { subscriptions: SubscriptionView[] }).subscriptions
        : [(await api('GET', `/subscriptions/${subscription_id}`)) as SubscriptionView];
    const sentences: string[] = [];
    const found: object[] = [];
    for (const { subscription_id: id, description, callback_url, state, circuit } of all) {
      const [{ waiting }, ...pages] = (await Promise.all([
        api('GET', `/subscriptions/${id}/statistics`),
        ...UNDELIVERED.map((one) => messagePage(api, id, { state: one, since, limit: String(limit) })),
      ])) as [Statistics, ...Awaited<ReturnType<typeof messagePage>>[]];
      if (pages.some(({ messages }) => messages.length > 0)) {
        const [given_up, retrying, parked] = pages.map(({ messages }) => messages);
        const more = pages[0]?.next_cursor === undefined ? '' : 'more than ';
        sentences.push(
          `${id}: ${more}${given_up?.length} given up. ${waitingSentences(waiting, now()).join(' ')}`,
        );
        found.push({
          ...{ subscription_id: id, description, callback_url, state, circuit, waiting },
          ...{ given_up, retrying, parked },
        });
      }
    }
    return {
      sentences: sentences.length === 0 ? ['Nothing was given up, and nothing waits.'] : sentences,
      data: { subscriptions: found },
    };
  },
});

/** The last ones tell most, and each may have an answer of 4 KB. */
const SHOWN_ATTEMPTS = 10;

export const showMessage = tool({
  name: 'show_message',
  title: 'Show a message with its attempts',
  description: `A message with its body, as it was signed, and its last ${SHOWN_ATTEMPTS} attempts: when, duration_ms (milliseconds), the status of the answer or why none came, and the beginning of what was answered.`,
  input: { message_id: messageId },
  async run({ message_id }, { api }) {
    const { attempts, ...message } = (await api('GET', `/messages/${message_id}`)) as MessageView;
    const { state, state_reason } = message;
    const why = state_reason === undefined ? '' : ` (${state_reason})`;
    return {
      sentences: [`${message_id} is ${state}${why}, after ${attempts.length} attempts on record.`],
      data: { ...message, attempts: attempts.slice(-SHOWN_ATTEMPTS) },
    };
  },
});

export const search = tool({
  name: 'search',
  title: 'Find a subscription, payment or message',
  description:
    'What a text may mean: the id of a payment (its messages) or of a message, or a part of the id, description or callback URL of a subscription. Without a text: all subscriptions, with their state and circuit.',
  input: { text: z.string().max(200).default('').describe('An id, or a part of a description or URL') },
  async run({ text }, { api }) {
    const { subscriptions } = (await api('GET', '/subscriptions')) as { subscriptions: SubscriptionView[] };
    const wanted = text.trim().toLowerCase();
    const found = subscriptions.filter((one) =>
      [one.subscription_id, one.description, one.callback_url].some((field) =>
        field.toLowerCase().includes(wanted),
      ),
    );
    const messages = await messagesNamed(text.trim(), api);
    return {
      sentences: [`Found: ${found.length} subscriptions, ${messages.length} messages.`],
      data: { subscriptions: found, messages },
    };
  },
});

async function messagesNamed(id: string, api: Parameters<typeof messagePage>[0]) {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id) || id.startsWith('sub_')) {
    return [];
  }
  if (!id.startsWith('msg_')) {
    const query = { payment_id: id, limit: '20' };
    return ((await api('GET', '/messages', { query })) as { messages: object[] }).messages;
  }
  try {
    const { attempts: _, body: __, ...message } = (await api('GET', `/messages/${id}`)) as MessageView;
    return [message];
  } catch (error) {
    if (isMissing(error)) {
      return [];
    }
    throw error;
  }
}

export const resendMessage = tool({
  name: 'resend_message',
  title: 'Send a message again',
  description:
    'Sends a finished message again, delivered or not, or tries one that is retried now. The endpoint gets it with the same webhook-id, marked late. Ask the person first: it cannot be taken back.',
  input: { message_id: messageId },
  writes: true,
  async run({ message_id }, { api }) {
    const resent = (await api('POST', `/messages/${message_id}/resend`)) as { state_before: string };
    return {
      sentences: [`${message_id} was ${resent.state_before}; it will be sent again.`],
      data: resent,
    };
  },
});
