import * as z from 'zod';
import { PUBLIC_EVENT_TYPES } from '../../core/event/event-types.ts';
import { WEBHOOK_EXAMPLE } from './examples/examples.ts';

/** The body of a webhook as its receiver reads it. */
export const webhookBodySchema = z.object({
  webhook_message_id: z.string().describe('The same as `webhook-id`, on every attempt.'),
  api_version: z.literal(1),
  created_date: z.iso.datetime({ precision: 3 }).describe('When it happened: UTC, with milliseconds.'),
  resource_id: z.string().describe('Of the payment or the refund.'),
  resource_type: z.string().describe('`payment` or `refund`; of a test ping `ping`.'),
  event_type: z.string().describe(`One of ${PUBLIC_EVENT_TYPES.join(', ')}; of a test ping \`ping\`.`),
  resource: z.record(z.string(), z.unknown()).describe('The resource as it was when the event happened.'),
});

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** What a receiver is sent. */
export const WEBHOOK = {
  post: {
    operationId: 'receiveWebhook',
    summary: 'What is posted to your callback URL',
    description:
      'Events of a payment come one after another, in the order in which they were accepted; a message may come more than once, always with the same `webhook-id`. Verify the signature over the bytes as they came. The guide: [Receiving webhooks](docs/receiving.md).',
    security: [],
    parameters: [
      header('webhook-id', 'The same on every attempt: keep the ids that you have handled.'),
      header('webhook-timestamp', 'Seconds since 1970 of this attempt.'),
      header(
        'webhook-signature',
        '`v1,` and base64 of the HMAC-SHA256 of `id.timestamp.body`, for each active secret; with `v1a` in `extra_signatures` also `v1a,` and base64 of an ed25519 signature. Separated by spaces.',
      ),
      header('webhook-attempt', '1 for the first try.'),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Webhook' }, example: WEBHOOK_EXAMPLE },
      },
    },
    responses: {
      '2XX': { description: 'Delivered. Answer within `timeout_ms`, and do the work afterwards.' },
      '410': { description: 'Gone: the subscription is disabled.' },
      default: {
        description:
          'Failed: it is tried again, after `retry-after` where 429, 502, 503 or 504 come with it. The header `webhook-delivery: disable` disables the subscription, `abort-message` gives this message up.',
      },
    },
  },
};
