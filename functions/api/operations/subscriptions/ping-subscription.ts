import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { PING_BYTES, pingOf, secondsToNextPings, tooManyPings } from '../../../core/message/ping.ts';
import { noSuch, refusal } from '../../answer.ts';
import { operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';

const pingedSchema = z.object({
  message_id: z.string().describe('The `webhook-id` of the ping.'),
  subscription_id: z.string(),
});

export const pingSubscription = operation({
  id: 'pingSubscription',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/ping',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Send a test ping',
  description:
    'A webhook with the `event_type` `ping`, signed and posted as any other, under the same rules for the address. It is tried once, also while the subscription is paused, disabled or its endpoint fails, and how it goes changes nothing of that. The attempt is in the history a moment later: ask for the message. At most five a minute are sent for a subscription, and twenty for all of a service. One that failed is `exhausted` at once, with the reason `schedule`: no delays are left, for a ping has none.',
  answers: {
    202: {
      description: 'It will be sent.',
      schema: pingedSchema,
      headers: { location: 'Where the message is found, once it was attempted.' },
    },
  },
  problems: ['too-many-pings', 'not-taken'],
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription', request.params);
    }
    const excess = tooManyPings(await ports.countPing(subscription));
    if (excess !== undefined) {
      const seconds = secondsToNextPings(ports.now());
      return refusal('too-many-pings', `${excess} Try again in ${seconds} s.`, {
        'retry-after': String(seconds),
      });
    }
    const message = pingOf(subscription, randomBytes(PING_BYTES), ports.now());
    if (!(await ports.send(message))) {
      return refusal('not-taken', 'The ping could not be taken just now: try again.', { 'retry-after': '5' });
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
