import * as z from 'zod';
import { MAX_LEASE_ID_CHARACTERS } from '../../../core/ordering/lease-id.ts';
import { isPlainText, NOT_PLAIN_TEXT } from '../../../core/text/plain-text.ts';
import { feedOperation, ownFeed } from '../../feed/feed-operation.ts';
import { TAKEN_STATES, takeResults } from '../../feed/take-results.ts';
import { describeOperation } from '../../operation.ts';

const MAX_RESULTS = 20;
const MAX_REASON_CHARACTERS = 200;

const resultSchema = z.strictObject({
  lease_id: z.string().max(MAX_LEASE_ID_CHARACTERS).describe('The `lease_id` that came with the message.'),
  outcome: z
    .enum(['delivered', 'failed'])
    .describe('`failed`: the message is retried on the schedule of the subscription.'),
  status_code: z
    .int()
    .min(100)
    .max(599)
    .optional()
    .describe('The status that your own endpoint answered, if it did. For people.'),
  reason: z
    .string()
    .max(MAX_REASON_CHARACTERS)
    .refine(isPlainText, NOT_PLAIN_TEXT)
    .optional()
    .describe('Why it failed, in one line of text. For people.'),
});

export const reportResults = feedOperation({
  id: 'reportResults',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/feed/results',
  scope: 'write',
  summary: 'Report results',
  body: z.strictObject({
    results: z.array(resultSchema).min(1).max(MAX_RESULTS).describe('One for each message in hand.'),
  }),
  problems: ['wrong-delivery', 'not-taken'],
  async run(request, ports) {
    const own = await ownFeed(request, ports);
    if ('refused' in own) {
      return own.refused;
    }
    const results = await takeResults(own.subscription, request.body.results, ports);
    return { status: 200, body: { results } };
  },
});

/* @__PURE__ */ describeOperation(
  reportResults,
  'Says what became of messages that you have in hand. The first result of a lease counts. A moment later the attempt is on record, and the next message of the payment may be pulled. You may repeat a request whose answer was lost.',
  () => ({
    200: {
      description: 'What became of each result, in the order of the request.',
      schema: z.object({
        results: z.array(
          z.object({
            lease_id: z.string().describe('As you sent it.'),
            state: z
              .enum(TAKEN_STATES)
              .describe(
                '`recorded`: it counts. `already_recorded`: an earlier result of this lease counts. `not_in_hand`: this lease has ended, or is none of this subscription; the message may be handed out again.',
              ),
          }),
        ),
      }),
    },
  }),
);
