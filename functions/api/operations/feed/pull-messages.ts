import * as z from 'zod';
import { LEASE_SECONDS } from '../../../core/ordering/lease.ts';
import { describeMembers } from '../../../core/text/describe-members.ts';
import { feedOperation, ownFeed } from '../../feed/feed-operation.ts';
import { takeMessages } from '../../feed/take-messages.ts';
import { describeOperation } from '../../operation.ts';
import { wholeNumber } from '../../whole-number.ts';

const MAX_MESSAGES = 20;

const querySchema = z.strictObject({
  limit: wholeNumber(1, MAX_MESSAGES)
    .prefault(10)
    .describe('How many messages at most. There may be fewer, although more wait.'),
  lease_seconds: wholeNumber(LEASE_SECONDS.min, LEASE_SECONDS.max)
    .prefault(LEASE_SECONDS.standard)
    .describe('How long you have for each of these messages.'),
});

const fedSchema = z.object({
  lease_id: z.string(),
  leased_until: z.iso.datetime({ precision: 3 }),
  message_id: z.string(),
  payment_id: z.string(),
  event_type: z.string(),
  attempt: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/* @__PURE__ */ describeMembers(fedSchema, {
  lease_id: 'Names the message in hand when you report its result: send it back as it is.',
  leased_until: 'Until when a result is expected.',
  message_id: 'The id of the message, as in the header `webhook-id`.',
  payment_id: 'The payment it is of. The id of a ping or sample is that of no payment.',
  event_type: 'The event type, as in the body.',
  attempt: '1 for the first attempt.',
  headers: 'The headers that a POST would have had, by name in lower case, signed just now.',
  body: 'The body that a POST would have had: these characters, in UTF-8, are what is signed.',
});

export const pullMessages = feedOperation({
  id: 'pullMessages',
  method: 'GET',
  path: '/v1/subscriptions/:subscription_id/feed',
  scope: 'write',
  summary: 'Pull messages',
  query: querySchema,
  problems: ['wrong-delivery', 'not-taken'],
  async run(request, ports) {
    const own = await ownFeed(request, ports);
    if ('refused' in own) {
      return own.refused;
    }
    const { limit, lease_seconds } = request.query;
    await ports.extend(own.subscription);
    const messages = await takeMessages({ ...own, limit, leaseMs: lease_seconds * 1_000 }, ports);
    return { status: 200, body: { messages } };
  },
});

/* @__PURE__ */ describeOperation(
  pullMessages,
  `Leases you the first message of each payment that nobody has in hand: handle it, and report the result. Until then, later messages of its payment wait. A lease that ends without a result is a failed attempt: the message is retried on the schedule of the subscription.

At most 100 payments of a subscription are in hand at a time. Answers at once, also when there is nothing; paused and disabled subscriptions get nothing. Requests count towards the limit of your token.`,
  () => ({
    200: {
      description: 'The messages that you have in hand now. Empty: nothing may be handled now.',
      schema: z.object({
        messages: z.array(fedSchema).describe('One of each payment, those that wait longest first.'),
      }),
    },
  }),
);
