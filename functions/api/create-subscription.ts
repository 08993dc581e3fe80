import { randomBytes } from 'node:crypto';
import { CLOSED } from '../core/circuit.ts';
import {
  newSubscription,
  SIGNING_SECRET_BYTES,
  SUBSCRIPTION_ID_BYTES,
  signingSecretOf,
  subscriptionIdOf,
  subscriptionRequestSchema,
} from '../core/new-subscription.ts';
import { faultsOf } from '../core/problem.ts';
import { standingOf } from '../core/standing.ts';
import { MAX_SUBSCRIPTIONS_PER_SERVICE } from '../core/subscription.ts';
import { subscriptionView } from '../core/subscription-view.ts';
import { type Answer, refusal, refusalOf } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { jsonBody } from './json-body.ts';
import { setOffTick } from './set-off-tick.ts';

/** Registers a callback URL. The signing secret is in this answer and in no other. */
export async function createSubscription(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  const json = jsonBody(request);
  if ('refused' in json) {
    return json.refused;
  }
  const wanted = subscriptionRequestSchema.safeParse(json.value);
  if (!wanted.success) {
    return refusalOf(faultsOf(wanted.error), 'malformed-request', 'The body is not a subscription.');
  }
  const vetted = await ports.callbackUrls.vet({
    url: wanted.data.callback_url,
    live: wanted.data.live,
  });
  if (vetted.kind === 'undecided') {
    return refusal('look-up-failed', vetted.reason, { 'retry-after': '5' });
  }
  if (vetted.kind === 'refused') {
    const { reason } = vetted;
    return refusalOf([{ field: 'callback_url', reason }], 'callback-url-refused', reason);
  }

  const subscription = newSubscription(
    { ...wanted.data, callback_url: vetted.url },
    {
      serviceId: request.serviceId,
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
    body: { ...subscriptionView(subscription), signing_secret },
  };
}
