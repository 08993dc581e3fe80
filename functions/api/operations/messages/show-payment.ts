import * as z from 'zod';
import { noSuch } from '../../../core/api/answer.ts';
import { cursorOf, positionOf } from '../../../core/api/cursor.ts';
import { CLOSED } from '../../../core/circuit/circuit.ts';
import { pageAfter } from '../../../core/message/message-history.ts';
import type { SequenceProgress } from '../../../core/sequence/payment-sequence.ts';
import { subscriptionView } from '../../../core/subscription/subscription-view.ts';
import { messageTimelines } from '../../../core/timeline/message-timeline.ts';
import { sequenceTimeline } from '../../../core/timeline/sequence-timeline.ts';
import {
  MAX_LATER_ATTEMPTS,
  type PaymentTimeline,
  paymentTimelineSchema,
} from '../../../core/timeline/timeline-view.ts';
import type { Caller } from '../../caller.ts';
import { cursorSchema } from '../../cursor-schema.ts';
import { describeOperation, operation } from '../../operation.ts';
import { paymentIdIn, reaches } from '../../owned.ts';
import { wholeNumber } from '../../whole-number.ts';
import { messagesOfPayment } from './of-payment.ts';

const MAX_MESSAGES = 50;

export const showPayment = operation({
  id: 'showPayment',
  method: 'GET',
  path: '/v1/payments/:payment_id',
  scope: 'read',
  tag: 'Messages',
  summary: 'Retrieve the timeline of a payment',
  query: z.strictObject({
    limit: wholeNumber(1, MAX_MESSAGES)
      .prefault(20)
      .describe(`The maximum number of messages per page, from 1 to ${MAX_MESSAGES}.`),
    cursor: cursorSchema(positionOf)
      .optional()
      .describe('The `next_cursor` of the previous page. Send it with the same path.'),
  }),
  problems: ['payment-too-large'],
  async run(request, { history, progress, subscriptions, policy, now }) {
    const { serviceId, caller, query } = request;
    const payment_id = paymentIdIn(request);
    if (payment_id === undefined) {
      return noSuch('payment', request.params);
    }
    const { limit, cursor } = query;
    const [found, known, all] = await Promise.all([
      messagesOfPayment(serviceId, payment_id, caller, { history }),
      progress({ service_id: serviceId, payment_id }),
      subscriptions.list(serviceId),
    ]);
    if ('status' in found) {
      return found;
    }
    const sequence = known && seenBy(caller, known);
    if (found.length === 0 && sequence === undefined) {
      return noSuch('payment', request.params);
    }
    const { shown, next } = pageAfter(found, ({ record }) => record, {
      limit,
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    const courses = shown.map(({ record, laterAttempts }) => ({
      record,
      attempts: [
        ...(record.first_attempt === undefined ? [] : [record.first_attempt]),
        ...laterAttempts.slice(-MAX_LATER_ATTEMPTS),
      ],
    }));
    const named = new Set([
      ...courses.map(({ record }) => record.subscription_id),
      ...Object.keys(sequence?.sent ?? {}),
    ]);
    const concerned = all.filter(({ subscription_id }) => named.has(subscription_id));
    const circuits = new Map(
      concerned.map(({ subscription_id, circuit }) => [subscription_id, circuit ?? CLOSED]),
    );
    const timeline: PaymentTimeline = {
      payment_id,
      ...(sequence === undefined ? {} : { sequence: sequenceTimeline(sequence, policy.sequenceGapMs) }),
      subscriptions: concerned.map((one) => {
        const { subscription_id, description, state, circuit } = subscriptionView(one, now());
        return { subscription_id, description, state, circuit };
      }),
      messages: messageTimelines(courses, circuits),
      ...(next === undefined ? {} : { next_cursor: cursorOf(next) }),
    };
    return { status: 200, body: timeline };
  },
});

/* @__PURE__ */ describeOperation(
  showPayment,
  () =>
    `Retrieves what happened to a payment, across all your subscriptions: when each of its events was published and taken in, what it waited for, each attempt, and what is next. If the publisher numbers the events, also how far the sequence is, and what waits for a missing number. Messages are listed newest first, a page at a time, with the first attempt of each and the last ${MAX_LATER_ATTEMPTS} after it. Bodies are left out: retrieve the message. A message appears with its first attempt, or when it begins to wait.`,
  () => ({ 200: { description: 'The timeline of the payment.', schema: paymentTimelineSchema } }),
);

/**
 * Of a payment that concerns none of its subscriptions, a limited token does not even learn that it is there.
 */
function seenBy(caller: Caller, sequence: SequenceProgress): SequenceProgress | undefined {
  const sent = Object.entries(sequence.sent).filter(([id]) => reaches(caller, id));
  return caller.subscriptions !== undefined && sent.length === 0
    ? undefined
    : { ...sequence, sent: Object.fromEntries(sent) };
}
