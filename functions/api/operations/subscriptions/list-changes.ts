import * as z from 'zod';
import { changeCursorOf, changePositionOf, changeViewSchema } from '../../../core/api/change.ts';
import { operation } from '../../operation.ts';

const cursorSchema = z.string().transform((cursor, { addIssue }) => {
  const position = changePositionOf(cursor);
  if (position === undefined) {
    addIssue('is not a cursor that an earlier answer gave');
    return z.NEVER;
  }
  return position;
});

const changesQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be a number from 1 to 100')
    .default('20')
    .transform(Number)
    .describe('How many changes a page has at most.'),
  cursor: cursorSchema
    .optional()
    .describe(
      'The `next_cursor` of the page before. It belongs to that request: the same `subscription_id`, or none; only `limit` may change.',
    ),
  subscription_id: z
    .string()
    .regex(
      /^sub_[A-Za-z0-9_-]{1,64}$/,
      'must be the id of a subscription: sub_ and 1 to 64 letters, digits, hyphens or underscores',
    )
    .optional()
    .describe('Only changes of this subscription; it may have been deleted since.'),
});

export const listChanges = operation({
  id: 'listChanges',
  method: 'GET',
  path: '/v1/changes',
  scope: 'read',
  tag: 'Account',
  summary: 'List who has changed what, newest first',
  description:
    'All that was done with the tokens of your service, and what our operators have done to it by hand (`actor`, and no `token_id`), for 400 days. With `subscription_id` a page may be short or empty and still have a `next_cursor`: the list ends where there is none.',
  query: changesQuerySchema,
  answers: {
    200: {
      description: 'A page of them.',
      schema: z.object({ changes: z.array(changeViewSchema), next_cursor: z.string().optional() }),
    },
  },
  async run({ serviceId, query: { limit, cursor, subscription_id } }, ports) {
    const { changes, next } = await ports.audit.page(serviceId, {
      limit,
      ...(cursor === undefined ? {} : { after: cursor }),
      ...(subscription_id === undefined ? {} : { subscriptionId: subscription_id }),
    });
    return {
      status: 200,
      body: {
        changes: changes.map((change) => changeViewSchema.parse(change)),
        ...(next === undefined ? {} : { next_cursor: changeCursorOf(next) }),
      },
    };
  },
});
