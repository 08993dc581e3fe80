import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { refusal } from '../../../core/api/answer.ts';
import { etagOf } from '../../../core/api/etag.ts';
import { newGeneration } from '../../../core/attempt/signing-keys.ts';
import { CLOSED } from '../../../core/circuit/circuit.ts';
import { endpointHealthOf } from '../../../core/circuit/endpoint-health.ts';
import {
  newSubscription,
  SUBSCRIPTION_ID_BYTES,
  subscriptionIdOf,
  subscriptionRequestSchema,
} from '../../../core/subscription/new-subscription.ts';
import { MAX_SUBSCRIPTIONS_PER_SERVICE } from '../../../core/subscription/subscription.ts';
import { subscriptionView, subscriptionViewSchema } from '../../../core/subscription/subscription-view.ts';
import { instant } from '../../../core/text/instant.ts';
import { describeOperation, operation } from '../../operation.ts';
import { randomKeys, shownOnce } from '../../random-keys.ts';
import { neverTaken, unknownPatterns } from '../event-types/known-types.ts';
import { armCircuitTimer } from './arm-circuit-timer.ts';
import { challenged, newChallenge, refusedPing, sendChallenge } from './challenge.ts';
import { ETAG } from './change-own.ts';
import { withoutStageKey } from './stage-key.ts';
import { vettedUrls } from './vetted-urls.ts';

export const createSubscription = operation({
  id: 'createSubscription',
  method: 'POST',
  path: '/v1/subscriptions',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Create a subscription',
  body: subscriptionRequestSchema,
  problems: [
    'token-limited',
    'callback-url-refused',
    'too-many-subscriptions',
    'no-stage-key',
    'look-up-failed',
    'too-many-pings',
    'contended',
  ],
  refusalOf: (body, ports) => unknownPatterns(body.event_types, ports) ?? neverTaken(body, ports),
  async run({ serviceId, caller, body }, ports) {
    if (caller.subscriptions !== undefined) {
      return refusal(
        'token-limited',
        'This token is limited to some subscriptions and can create no others.',
      );
    }
    const keyless = await withoutStageKey(body, ports);
    if (keyless !== undefined) {
      return keyless;
    }
    const urls = await vettedUrls(body, body.live, ports);
    if ('status' in urls) {
      return urls;
    }
    const createdAtMs = ports.now();
    const { info, keys } = newGeneration({
      ...randomKeys(body.signing_secret),
      createdAt: instant(createdAtMs),
    });
    const created = newSubscription(
      { ...body, ...urls },
      {
        serviceId,
        subscriptionId: subscriptionIdOf(randomBytes(SUBSCRIPTION_ID_BYTES)),
        createdAtMs,
        secret: info,
      },
    );
    const challenge =
      urls.callback_url !== undefined && ports.callbackUrls.mustBeProven
        ? newChallenge(created, ports)
        : undefined;
    const refused = challenge && (await refusedPing(created, ports));
    if (refused !== undefined) {
      return refused;
    }
    const subscription = challenge === undefined ? created : challenged(created, challenge, ports);
    const { custom_headers } = body;
    const kept = {
      secrets: { [info.secret_id]: keys },
      ...(custom_headers === undefined ? {} : { custom_headers }),
    };
    if ((await ports.subscriptions.add(subscription, kept)) === 'full') {
      return refusal(
        'too-many-subscriptions',
        `A service can have at most ${MAX_SUBSCRIPTIONS_PER_SERVICE} subscriptions: delete one first.`,
      );
    }
    const health = endpointHealthOf(subscription);
    await armCircuitTimer(subscription, { before: { ...health, circuit: CLOSED }, after: health }, ports);
    await sendChallenge(subscription, challenge, ports);
    return {
      status: 201,
      headers: {
        location: `/v1/subscriptions/${subscription.subscription_id}`,
        etag: etagOf(subscription),
      },
      body: subscriptionView(subscription, createdAtMs),
      once: { signing_secret: keys.secret },
      change: { subscription_id: subscription.subscription_id },
    };
  },
});

/* @__PURE__ */ describeOperation(
  createSubscription,
  'Registers a callback URL, or a feed that you pull from, for the event types you choose. This response is the only one that contains the signing secret.',
  () => ({
    201: {
      description:
        'The subscription gets every matching event accepted from now on: at once, or if it is `unproven`, once its endpoint has answered the challenge.',
      schema: z.object({ ...subscriptionViewSchema.shape, signing_secret: shownOnce() }),
      headers: { location: 'The path of the subscription.', ...ETAG },
    },
  }),
);
