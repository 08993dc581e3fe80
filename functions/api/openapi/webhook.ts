import * as z from 'zod';
import { PUBLIC_EVENT_TYPES } from '../../core/event/event-types.ts';
import { WEBHOOK_EXAMPLE } from './examples/examples.ts';

/** The body of a webhook as the endpoint receives it. */
export const webhookBodySchema = z.object({
  webhook_message_id: z.string().describe('The same as the `webhook-id` header, on every attempt.'),
  api_version: z.literal(1),
  created_date: z.iso.datetime({ precision: 3 }).describe('When the event happened: UTC, with milliseconds.'),
  resource_id: z.string().describe('The id of the payment or refund.'),
  resource_type: z.string().describe('`payment` or `refund`; for a test ping `ping`, for a sample `sample`.'),
  event_type: z
    .string()
    .describe(
      `One of ${PUBLIC_EVENT_TYPES.join(', ')}; for a test ping \`ping\`, for a sample \`sample.\` and the type.`,
    ),
  payment_id: z
    .string()
    .optional()
    .describe('With `sequence`: the payment whose event this is; of a refund, the payment refunded.'),
  sequence: z
    .int()
    .optional()
    .describe('The publisher’s number of the event in its payment, from 1. Absent if the event has none.'),
  position: z
    .int()
    .optional()
    .describe(
      'With `sequence`: the position among the messages that this subscription gets of this payment, from 1. Filters leave no holes.',
    ),
  previous_message_id: z
    .string()
    .nullable()
    .optional()
    .describe('With `sequence`: the `webhook-id` of the message before; null for the first.'),
  gap_before: z
    .literal(true)
    .optional()
    .describe('The event before it in the sequence had not come in time: it may be missing, or come `late`.'),
  late: z
    .literal(true)
    .optional()
    .describe('Events that follow it in the sequence had gone on before it came.'),
  resource: z.record(z.string(), z.unknown()).describe('The resource at the time of the event.'),
});

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The webhook that an endpoint receives. */
export const WEBHOOK = {
  post: {
    operationId: 'receiveWebhook',
    summary: 'Receive a webhook at your callback URL',
    description:
      'Events of a payment arrive one at a time, in the publisher’s sequence if he numbers them, else in the order in which we accepted them. A message may arrive more than once, always with the same `webhook-id`. Verify the signature over the raw bytes of the body. See [Receiving webhooks](docs/receiving.html).',
    security: [],
    parameters: [
      header('webhook-id', 'The id of the message, the same on every attempt. Use it to detect duplicates.'),
      header('webhook-timestamp', 'When this attempt was signed, in seconds since 1970.'),
      header(
        'webhook-signature',
        'For each active secret, `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`; with `v1a` in `extra_signatures` also `v1a,` and the base64 of an ed25519 signature. Separated by spaces.',
      ),
      header('webhook-attempt', 'The number of the attempt: 1 for the first.'),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Webhook' }, example: WEBHOOK_EXAMPLE },
      },
    },
    responses: {
      '2XX': { description: 'Delivered. Respond within `timeout_ms` and process the event afterwards.' },
      '410': { description: 'Gone. Disables the subscription.' },
      default: {
        description:
          'Failed. We retry on the schedule of the subscription; `retry-after` with a 502, 503 or 504 may lengthen the delay. With 429, or 503 and `retry-after`, you get fewer requests, and the message uses up no retry. The response header `webhook-delivery: disable` disables the subscription; `webhook-delivery: abort-message` ends this message.',
      },
    },
  },
};
