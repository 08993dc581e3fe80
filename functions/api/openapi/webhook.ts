import * as z from 'zod';
import type { EventType } from '../../core/catalogue/event-type.ts';
import { WEBHOOK_EXAMPLE } from './examples/examples.ts';
import { rebased } from './rebased.ts';

/** The body of a webhook as the endpoint receives it. */
export const webhookBodySchema = z.object({
  webhook_message_id: z.string().describe('The same as the `webhook-id` header, on every attempt.'),
  api_version: z.literal(1),
  created_date: z.iso.datetime({ precision: 3 }).describe('When the event happened: UTC, with milliseconds.'),
  resource_id: z.string().describe('The id of the resource.'),
  resource_type: z
    .string()
    .describe(
      'What the resource is; for a test ping `ping`, for a sample `sample`, for a challenge `challenge`.',
    ),
  event_type: z
    .string()
    .describe(
      'The name of its event type; for a test ping `ping`, for a sample `sample.` and the type, for a challenge `challenge`.',
    ),
  payment_id: z.string().optional().describe('With `sequence`: the payment whose event this is.'),
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
    .describe('Events that follow it in the sequence had continued before it came.'),
  resource: z.record(z.string(), z.unknown()).describe('The resource at the time of the event.'),
});

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The headers of every webhook. */
export const WEBHOOK_HEADERS = {
  WebhookId: header(
    'webhook-id',
    'The id of the message, the same on every attempt. Use it to detect duplicates.',
  ),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was signed, in seconds since 1970.'),
  WebhookSignature: header(
    'webhook-signature',
    'For each active secret, `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`; with `v1a` in `extra_signatures` also `v1a,` and the base64 of an ed25519 signature. Separated by spaces.',
  ),
  WebhookAttempt: header('webhook-attempt', 'The number of the attempt: 1 for the first.'),
};

/** What an endpoint may answer, and what that means. */
export const WEBHOOK_ANSWERS = {
  WebhookDelivered: {
    description: 'Delivered. Respond within `timeout_ms` and process the event afterwards.',
  },
  WebhookGone: { description: 'Gone. Disables the subscription.' },
  WebhookFailed: {
    description:
      'Failed. We retry on the schedule of the subscription; `retry-after` with a 502, 503 or 504 may lengthen the delay. With 429, or 503 and `retry-after`, you get fewer requests, and the message uses up no retry. The response header `webhook-delivery: disable` disables the subscription; `webhook-delivery: abort-message` ends this message.',
  },
};

const HOW =
  'Events of a payment arrive one at a time, in the publisher’s sequence if he numbers them, else in the order in which we accepted them. A message may arrive more than once, always with the same `webhook-id`. Verify the signature over the raw bytes of the body. See [Receiving webhooks](docs/receiving.html).';

const component = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const schemaName = (type: EventType) => `Resource.${type.name}`;

/** The webhooks that an endpoint receives, by event type. */
export function webhooksOf(types: readonly EventType[]) {
  return Object.fromEntries(types.map((type) => [type.name, { post: webhookOf(type) }]));
}

/** The schemas of resources that they refer to. */
export function resourceSchemasOf(types: readonly EventType[]): Record<string, unknown> {
  return Object.fromEntries(
    types.flatMap((type) => {
      const name = schemaName(type);
      const { $schema: _, $id: __, ...schema } = type.schema ?? {};
      return type.schema === undefined ? [] : [[name, rebased(schema, `#/components/schemas/${name}`)]];
    }),
  );
}

function webhookOf(type: EventType) {
  const { name, description, resource_type, schema, sample, deprecated } = type;
  const own = {
    event_type: { const: name },
    ...(resource_type === undefined ? {} : { resource_type: { const: resource_type } }),
    ...(schema === undefined ? {} : { resource: component('schemas', schemaName(type)) }),
  };
  const example = {
    ...WEBHOOK_EXAMPLE,
    event_type: name,
    resource_type: resource_type ?? 'payment',
    resource: sample,
  };
  return {
    operationId: `receive.${name}`,
    summary: description,
    description: HOW,
    ...(deprecated === undefined ? {} : { deprecated: true }),
    security: [],
    parameters: Object.keys(WEBHOOK_HEADERS).map((header) => component('parameters', header)),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { allOf: [component('schemas', 'Webhook'), { type: 'object', properties: own }] },
          ...(sample === undefined ? {} : { example }),
        },
      },
    },
    responses: {
      '2XX': component('responses', 'WebhookDelivered'),
      '410': component('responses', 'WebhookGone'),
      default: component('responses', 'WebhookFailed'),
    },
  };
}
