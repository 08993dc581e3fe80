import { randomKeys } from '../../api/random-keys.ts';
import type { SubscriptionRegistry } from '../../core/api/subscription-registry.ts';
import { newGeneration } from '../../core/attempt/signing-keys.ts';
import {
  newSubscription,
  subscriptionIdOf,
  subscriptionRequestSchema,
} from '../../core/subscription/new-subscription.ts';
import { instant } from '../../core/text/instant.ts';
import { SECRET_HEADER } from '../synthetic-receiver/synthetic-receiver.ts';

/** The service of the scheduled doctor, not `doctor` as by hand, so neither gets webhooks of the other. */
export const SCHEDULED_SERVICE = 'doctor-on-schedule';

/** Nobody else sends events of its service, and the doctor's type may change with the catalogue. */
const EVERY_TYPE = '*';

/** A constant, so that the doctor's role can be limited to it. */
export const SCHEDULED_SUBSCRIPTION = subscriptionIdOf(Buffer.from('payhooks-doctor!'));

/**
 * Creates the doctor's own subscription once, and updates its callback URL after the synthetic receiver was
 * deployed anew. Otherwise it is a normal subscription, which people can view and change through the API.
 */
export async function ensureSubscription(
  registry: Pick<SubscriptionRegistry, 'find' | 'add' | 'revise'>,
  callbackUrl: string,
  nowMs: number,
): Promise<void> {
  const known = await registry.find(SCHEDULED_SERVICE, SCHEDULED_SUBSCRIPTION);
  if (known !== undefined) {
    // Before there were catalogues it had one type, which this one may not know.
    if (known.callback_url !== callbackUrl || !known.event_types.includes(EVERY_TYPE)) {
      await registry.revise(known, (current) => ({
        subscription: { ...current, callback_url: callbackUrl, event_types: [EVERY_TYPE] },
      }));
    }
    return;
  }
  const random = randomKeys(undefined);
  const { info, keys } = newGeneration({ ...random, createdAt: instant(nowMs) });
  const custom_headers = { [SECRET_HEADER]: random.secret };
  const request = subscriptionRequestSchema.parse({
    callback_url: callbackUrl,
    description: 'Created by the doctor for itself',
    event_types: [EVERY_TYPE],
    live: false,
    custom_headers,
  });
  const subscription = newSubscription(request, {
    serviceId: SCHEDULED_SERVICE,
    subscriptionId: SCHEDULED_SUBSCRIPTION,
    createdAtMs: nowMs,
    secret: info,
  });
  await registry.add(subscription, { secrets: { [info.secret_id]: keys }, custom_headers });
}
