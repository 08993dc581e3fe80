import * as z from 'zod';
import { changeCursorOf, changePositionOf, changeViewSchema } from '../../../core/api/change.ts';
import { cursorSchema } from '../../cursor-schema.ts';
import { describeOperation, operation } from '../../operation.ts';
import { reaches } from '../../owned.ts';
import { wholeNumber } from '../../whole-number.ts';

const changesQuerySchema = z.strictObject({
  limit: wholeNumber(1, 100).prefault(20).describe('The maximum number of changes per page, from 1 to 100.'),
  cursor: cursorSchema(changePositionOf)
    .optional()
    .describe(
      'The `next_cursor` of the previous page. Send it with the same `subscription_id`, or none as before; only `limit` may change.',
    ),
  subscription_id: z
    .string()
    .regex(
      /^sub_[A-Za-z0-9_-]{1,64}$/,
      'must be the id of a subscription: sub_ and 1 to 64 letters, digits, hyphens or underscores',
    )
    .optional()
    .describe('Only changes of this subscription, which may have been deleted since.'),
});

export const listChanges = operation({
  id: 'listChanges',
  method: 'GET',
  path: '/v1/changes',
  scope: 'read',
  tag: 'Account',
  summary: 'List changes, newest first',
  query: changesQuerySchema,
  async run({ serviceId, caller, query: { limit, cursor, subscription_id } }, ports) {
    const { changes, next } = await ports.audit.page(serviceId, {
      limit,
      ...(cursor === undefined ? {} : { after: cursor }),
      ...(subscription_id === undefined ? {} : { subscriptionId: subscription_id }),
    });
    return {
      status: 200,
      body: {
        changes: changes
          .filter((change) => reaches(caller, change.subscription_id))
          .map((change) => changeViewSchema.parse(change)),
        ...(next === undefined ? {} : { next_cursor: changeCursorOf(next) }),
      },
    };
  },
});

/* @__PURE__ */ describeOperation(
  listChanges,
  'Lists who changed what: all changes made with the tokens of your service, and those our operators made by hand (with `actor` instead of `token_id`). Kept for 400 days. Keep paging until `next_cursor` is absent: with `subscription_id` a page may be short or empty.',
  () => ({
    200: {
      description: 'A page of changes.',
      schema: z.object({ changes: z.array(changeViewSchema), next_cursor: z.string().optional() }),
    },
  }),
);
