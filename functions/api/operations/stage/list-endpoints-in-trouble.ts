import * as z from 'zod';
import { endpointView, endpointViewSchema } from '../../../core/trouble/endpoint-view.ts';
import { describeOperation } from '../../operation.ts';
import { stageOperation } from '../../stage/stage-operation.ts';
import { wholeNumber } from '../../whole-number.ts';

const count = z.int().min(0);

export const listEndpointsInTrouble = stageOperation({
  id: 'listEndpointsInTrouble',
  method: 'GET',
  path: '/v1/stage/endpoints',
  scope: 'read',
  summary: 'List the endpoints of all services that are in trouble',
  query: z.strictObject({
    limit: wholeNumber(1, 100).prefault(25).describe('How many endpoints to examine at most, from 1 to 100.'),
  }),
  async run({ query: { limit } }, { troubled, warn }) {
    const { notClosed, refusing, more, isCut, unreadable } = await troubled(limit);
    for (const why of unreadable) {
      warn(why);
    }
    return {
      status: 200,
      body: {
        endpoints: [...notClosed, ...refusing].map(endpointView),
        more,
        is_cut: isCut,
        unreadable: unreadable.length,
      },
    };
  },
});

/* @__PURE__ */ describeOperation(
  listEndpointsInTrouble,
  'Lists endpoints whose circuit is not closed, the longest in trouble first; then those that refuse some payments again and again. Some seconds old.',
  () => ({
    200: {
      description: 'The endpoints in trouble.',
      schema: z.object({
        endpoints: z.array(endpointViewSchema),
        more: count.describe('How many more may be in trouble than were examined.'),
        is_cut: z.boolean().describe('Whether more payments wait for a retry than were examined.'),
        unreadable: count.describe('How many could not be read; the log says why.'),
      }),
    },
  }),
);
