import * as z from 'zod';
import { type Answer, noSuch } from '../../../core/api/answer.ts';
import { cursorOf, positionOf } from '../../../core/api/cursor.ts';
import { MESSAGE_STATES } from '../../../core/message/message.ts';
import {
  type Page,
  type PageWanted,
  pageOf,
  type RecordedMessage,
} from '../../../core/message/message-history.ts';
import { messageSummarySchema } from '../../../core/message/message-view.ts';
import { describeMembers } from '../../../core/text/describe-members.ts';
import { instantSchema } from '../../../core/text/moment.ts';
import { cursorSchema } from '../../cursor-schema.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription, PAYMENT_ID } from '../../owned.ts';
import { wholeNumber } from '../../whole-number.ts';
import { messagesOfPayment } from './of-payment.ts';

/** Not only those of the catalogue: messages outlive their types. */
const MESSAGE_TYPE = /^(?:sample\.)?[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const paymentIdSchema = z
  .string()
  .regex(PAYMENT_ID, 'must be 1 to 64 letters, digits, hyphens or underscores');

const wanted = {
  limit: wholeNumber(1, 100).prefault(20),
  cursor: cursorSchema(positionOf).optional(),
  state: z.enum(MESSAGE_STATES, `must be one of ${MESSAGE_STATES.join(', ')}`).optional(),
  event_type: z
    .string()
    .regex(MESSAGE_TYPE, 'must be the name of an event type, sample. and such a name, or ping')
    .optional(),
  since: instantSchema.optional(),
  until: instantSchema.optional(),
};
const wantedSchema = z.object(wanted);

/* @__PURE__ */ describeMembers(wantedSchema, {
  limit: 'The maximum number of messages per page, from 1 to 100.',
  cursor:
    'The `next_cursor` of the previous page. Send it with the same path and the same other parameters; only `limit` may change. With different ones you get an arbitrary page, and no error.',
  state: 'Only messages in this state.',
  event_type:
    'Only messages of this type. `ping`: bare test pings; with `sample.`: test pings with a sample.',
  since:
    'Only messages accepted at or after this time: RFC 3339, with `+` sent as `%2B`. Unlike other filters, `since` and `until` never make a page short.',
  until: 'Only messages accepted before this time.',
});

const INVERTED = { path: ['until'], message: 'must be later than since' };
const isSpan = ({ since, until }: { since?: string | undefined; until?: string | undefined }) =>
  since === undefined || until === undefined || since < until;

const answers = () => ({
  200: {
    description: 'A page of messages.',
    schema: z.object({
      messages: z.array(messageSummarySchema),
      next_cursor: z.string().optional().describe('The `cursor` of the next page. Absent on the last page.'),
    }),
  },
});

const KEEP_PAGING = 'Keep paging until `next_cursor` is absent';
const STABLE =
  'Messages accepted while you page come before the first page: they neither duplicate nor hide others.';

export const listMessages = operation({
  id: 'listMessages',
  method: 'GET',
  path: '/v1/subscriptions/:subscription_id/messages',
  scope: 'read',
  tag: 'Messages',
  summary: 'List the messages of a subscription, newest first',
  query: z
    .strictObject({
      ...wanted,
      payment_id: paymentIdSchema.optional().describe('Only messages of this payment.'),
    })
    .refine(isSpan, INVERTED),
  problems: ['payment-too-large'],
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription', request.params);
    }
    const { query, caller } = request;
    const { service_id, subscription_id } = subscription;
    return query.payment_id === undefined
      ? answerOf(await ports.history.page(subscription_id, wantedOf(query)))
      : answerOfPayment(
          await messagesOfPayment(service_id, query.payment_id, caller, ports),
          query,
          subscription_id,
        );
  },
});

/* @__PURE__ */ describeOperation(
  listMessages,
  () =>
    `Lists the messages of a subscription, newest first. ${KEEP_PAGING}: with \`event_type\` or \`state=succeeded\` a page may be short or empty, because each request examines at most a thousand messages. ${STABLE} A message appears about a second after its first attempt, or after it began to wait: later than others that were accepted after it. To miss none, poll with \`since\` ten minutes before the newest \`admitted_at\` that you know, and drop the messages you know.`,
  answers,
);

export const listMessagesOfPayment = operation({
  id: 'listMessagesOfPayment',
  method: 'GET',
  path: '/v1/messages',
  scope: 'read',
  tag: 'Messages',
  summary: 'List the messages of a payment, newest first',
  query: z
    .strictObject({ ...wanted, payment_id: paymentIdSchema.describe('The id of the payment.') })
    .refine(isSpan, INVERTED),
  problems: ['payment-too-large'],
  async run({ serviceId, caller, query }, ports) {
    return answerOfPayment(await messagesOfPayment(serviceId, query.payment_id, caller, ports), query);
  },
});

/* @__PURE__ */ describeOperation(
  listMessagesOfPayment,
  () =>
    `Lists the messages of a payment across all your subscriptions, including deleted ones, newest first. ${KEEP_PAGING}. ${STABLE}`,
  answers,
);

type Query = z.infer<typeof wantedSchema>;

/** @param subscriptionId only those of this one @default - of all */
function answerOfPayment(
  found: readonly RecordedMessage[] | Answer,
  query: Query,
  subscriptionId?: string,
): Answer {
  if ('status' in found) {
    return found;
  }
  const records = found
    .map(({ record }) => record)
    .filter(({ subscription_id }) => (subscriptionId ?? subscription_id) === subscription_id);
  return answerOf(pageOf(records, wantedOf(query)));
}

function wantedOf({ limit, cursor, state, event_type, since, until }: Query): PageWanted {
  return {
    limit,
    ...(cursor === undefined ? {} : { after: cursor }),
    since,
    until,
    state,
    eventType: event_type,
  };
}

function answerOf({ messages, next }: Page): Answer {
  return {
    status: 200,
    body: { messages, ...(next === undefined ? {} : { next_cursor: cursorOf(next) }) },
  };
}
