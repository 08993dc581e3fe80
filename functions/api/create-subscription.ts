import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { CLOSED } from '../core/circuit.ts';
import {
  newSubscription,
  SIGNING_SECRET_BYTES,
  SUBSCRIPTION_ID_BYTES,
  signingSecretOf,
  subscriptionIdOf,
  subscriptionRequestSchema,
} from '../core/new-subscription.ts';
import { standingOf } from '../core/standing.ts';
import { MAX_SUBSCRIPTIONS_PER_SERVICE } from '../core/subscription.ts';
import { subscriptionView, subscriptionViewSchema } from '../core/subscription-view.ts';
import { refusal, refusalOf } from './answer.ts';
import { operation } from './operation.ts';
import { setOffTick } from './set-off-tick.ts';

export const createSubscription = operation({
  id: 'createSubscription',
  method: 'POST',
  path: '/v1/subscriptions',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Register a callback URL',
  description: 'The signing secret is in this answer and in no other.',
  body: subscriptionRequestSchema,
  answers: {
    201: {
      description: 'The subscription is active: it gets every matching event that is accepted from now on.',
      schema: z.extend(subscriptionViewSchema, { signing_secret: z.string() }),
      headers: { location: 'Where the subscription is found.' },
    },
  },
  problems: ['callback-url-refused', 'too-many-subscriptions', 'look-up-failed', 'contended'],
  async run({ serviceId, body }, ports) {
    const vetted = await ports.callbackUrls.vet({
      url: body.callback_url,
      live: body.live,
    });
    if (vetted.kind === 'undecided') {
      return refusal('look-up-failed', vetted.reason, { 'retry-after': '5' });
    }
    if (vetted.kind === 'refused') {
      const { reason } = vetted;
      return refusalOf([{ field: 'callback_url', reason }], 'callback-url-refused', reason);
    }

    const subscription = newSubscription(
      { ...body, callback_url: vetted.url },
      {
        serviceId,
        subscriptionId: subscriptionIdOf(randomBytes(SUBSCRIPTION_ID_BYTES)),
        createdAt: new Date(ports.now()),
      },
    );
    const signing_secret = signingSecretOf(randomBytes(SIGNING_SECRET_BYTES));
    if ((await ports.subscriptions.add(subscription, signing_secret)) === 'full') {
      return refusal(
        'too-many-subscriptions',
        `A service may have ${MAX_SUBSCRIPTIONS_PER_SERVICE} subscriptions: delete one first.`,
      );
    }
    const standing = standingOf(subscription);
    await setOffTick(subscription, { before: { ...standing, circuit: CLOSED }, after: standing }, ports);
    return {
      status: 201,
      headers: { location: `/v1/subscriptions/${subscription.subscription_id}` },
      body: subscriptionView(subscription),
      once: { signing_secret },
      change: { subscription_id: subscription.subscription_id },
    };
  },
});
