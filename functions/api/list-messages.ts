import * as z from 'zod';
import { cursorOf, positionOf } from '../core/cursor.ts';
import { MESSAGE_STATES } from '../core/message.ts';
import { messageSummarySchema } from '../core/message-view.ts';
import { noSuch } from './answer.ts';
import { operation } from './operation.ts';
import { ownSubscription } from './owned.ts';

const cursorSchema = z.string().transform((cursor, { addIssue }) => {
  const position = positionOf(cursor);
  if (position === undefined) {
    addIssue('is not a cursor that an earlier answer gave');
    return z.NEVER;
  }
  return position;
});

const pageQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be a number from 1 to 100')
    .default('20')
    .transform(Number),
  cursor: cursorSchema.optional(),
  state: z.enum(MESSAGE_STATES, `must be one of ${MESSAGE_STATES.join(', ')}`).optional(),
});

export const listMessages = operation({
  id: 'listMessages',
  method: 'GET',
  path: '/v1/subscriptions/:subscription_id/messages',
  scope: 'read',
  tag: 'Messages',
  summary: 'List the messages of a subscription, newest first',
  description:
    'With `state` a page may be short or empty and still have a `next_cursor`: the list ends where there is none.',
  query: pageQuerySchema,
  answers: {
    200: {
      description: 'A page of them.',
      schema: z.object({ messages: z.array(messageSummarySchema), next_cursor: z.string().optional() }),
    },
  },
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription');
    }
    const { limit, cursor, state } = request.query;
    const { messages, next } = await ports.history.page(subscription.subscription_id, {
      limit,
      ...(cursor === undefined ? {} : { after: cursor }),
      ...(state === undefined ? {} : { state }),
    });
    return {
      status: 200,
      body: { messages, ...(next === undefined ? {} : { next_cursor: cursorOf(next) }) },
    };
  },
});
