import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { noSuch, notTaken } from '../../../core/api/answer.ts';
import { NOT_A_TYPE_NAME, TYPE_NAME } from '../../../core/catalogue/event-type.ts';
import { PING_BYTES, pingOf } from '../../../core/message/ping.ts';
import { describeMembers } from '../../../core/text/describe-members.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';
import { unknownName } from '../event-types/known-types.ts';
import { refusedPing } from './challenge.ts';

const wantedSchema = z.strictObject({
  sample_of: z.string().regex(TYPE_NAME, NOT_A_TYPE_NAME).optional(),
});

/* @__PURE__ */ describeMembers(wantedSchema, {
  sample_of:
    'The event type to send a sample of: a webhook with its sample as `resource`, `sample.` before its name as `event_type`, `sample` as `resource_type`, and the id of no payment. Absent: a bare ping.',
});

const pingedSchema = () =>
  z.object({
    message_id: z.string().describe('The id of the ping, sent as `webhook-id`.'),
    subscription_id: z.string(),
  });

export const pingSubscription = operation({
  id: 'pingSubscription',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/ping',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Send a test ping',
  body: wantedSchema,
  bodyIsOptional: true,
  problems: ['too-many-pings', 'not-taken'],
  refusalOf: ({ sample_of }, ports) =>
    sample_of === undefined ? undefined : unknownName('sample_of', sample_of, ports),
  async run(request, ports) {
    const { sample_of } = request.body;
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription', request.params);
    }
    const refused = await refusedPing(subscription, ports);
    if (refused !== undefined) {
      return refused;
    }
    const sampleOf = sample_of === undefined ? undefined : ports.catalogue.typeOf(sample_of);
    const message = pingOf(subscription, randomBytes(PING_BYTES), ports.now(), sampleOf);
    if (!(await ports.send(message))) {
      return notTaken('ping');
    }
    const { message_id, subscription_id } = message;
    return {
      status: 202,
      headers: { location: `/v1/messages/${message_id}` },
      body: { message_id, subscription_id },
      change: { subscription_id, message_id },
    };
  },
});

/* @__PURE__ */ describeOperation(
  pingSubscription,
  'Sends a test webhook with the `event_type` `ping`, or a sample of an event type, signed and posted like any other. It is sent even while the subscription is paused or disabled or its endpoint fails, and its result does not affect the subscription. To see the result, retrieve the message a moment later. A ping is attempted once: if it fails, it is `exhausted` at once with the reason `schedule`. You can send five pings per minute to a subscription, and twenty to all subscriptions of your service.',
  () => ({
    202: {
      description: 'The ping will be sent.',
      schema: pingedSchema(),
      headers: { location: 'The path of the message, which exists once it has been attempted.' },
    },
  }),
);
