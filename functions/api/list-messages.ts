import * as z from 'zod';
import { cursorOf, positionOf } from '../core/cursor.ts';
import { MESSAGE_STATES } from '../core/message.ts';
import { faultsOf } from '../core/problem.ts';
import { type Answer, noSuch, refusalOf } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { ownSubscription } from './owned.ts';

const cursorSchema = z.string().transform((cursor, { addIssue }) => {
  const position = positionOf(cursor);
  if (position === undefined) {
    addIssue('is not a cursor that an earlier answer gave');
    return z.NEVER;
  }
  return position;
});

const pageQuerySchema = z.object({
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be a number from 1 to 100')
    .default('20')
    .transform(Number),
  cursor: cursorSchema.optional(),
  state: z.enum(MESSAGE_STATES, `must be one of ${MESSAGE_STATES.join(', ')}`).optional(),
});

/** The messages of a subscription, newest first, page by page; all of them, or those in one state. */
export async function listMessages(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  const query = pageQuerySchema.safeParse(Object.fromEntries(request.query));
  if (!query.success) {
    return refusalOf(faultsOf(query.error), 'malformed-request', 'The query cannot be understood.');
  }
  const subscription = await ownSubscription(request, ports);
  if (subscription === undefined) {
    return noSuch('subscription');
  }
  const { limit, cursor, state } = query.data;
  const { messages, next } = await ports.history.page(subscription.subscription_id, {
    limit,
    ...(cursor === undefined ? {} : { after: cursor }),
    ...(state === undefined ? {} : { state }),
  });
  return {
    status: 200,
    body: { messages, ...(next === undefined ? {} : { next_cursor: cursorOf(next) }) },
  };
}
