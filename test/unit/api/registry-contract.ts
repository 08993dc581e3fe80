import type { SubscriptionRegistry } from '../../../functions/api/subscription-registry.ts';
import { newSubscription, subscriptionRequestSchema } from '../../../functions/core/new-subscription.ts';
import type { Subscription } from '../../../functions/core/subscription.ts';

function subscription(serviceId: string, subscriptionId: string): Subscription {
  return newSubscription(
    subscriptionRequestSchema.parse({
      callback_url: 'https://shop.example/',
      event_types: ['*'],
      live: true,
    }),
    { serviceId, subscriptionId, createdAt: new Date('2026-01-01T00:00:00Z') },
  );
}

/** What every `SubscriptionRegistry` promises. `registry` gives an empty one, or one that these services are new to. */
export function registryPromises(
  registry: () => SubscriptionRegistry,
  [shop, other]: readonly [string, string],
): void {
  test('what was added is found and listed as it was', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_1`);

    expect(await subscriptions.add(added, 'whsec_1')).toBe('added');
    expect(await subscriptions.find(shop, added.subscription_id)).toEqual(added);
    expect(await subscriptions.list(shop)).toEqual([added]);
    await subscriptions.remove(shop, added.subscription_id);
  });

  test('what was removed is gone, and cannot be removed again', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_2`);
    await subscriptions.add(added, 'whsec_2');

    expect(await subscriptions.remove(shop, added.subscription_id)).toBe(true);
    expect(await subscriptions.remove(shop, added.subscription_id)).toBe(false);
    expect(await subscriptions.find(shop, added.subscription_id)).toBeUndefined();
    expect(await subscriptions.list(shop)).toEqual([]);
  });

  test('a service neither finds nor lists nor removes what belongs to another', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_3`);
    await subscriptions.add(added, 'whsec_3');

    expect(await subscriptions.find(other, added.subscription_id)).toBeUndefined();
    expect(await subscriptions.list(other)).toEqual([]);
    expect(await subscriptions.remove(other, added.subscription_id)).toBe(false);
    expect(await subscriptions.remove(shop, added.subscription_id)).toBe(true);
  });

  test('what is no subscription is not found', async () => {
    expect(await registry().find(shop, 'routes')).toBeUndefined();
  });

  test('of subscriptions that are added at the same time, all up to the twentieth are taken in', async () => {
    const subscriptions = registry();
    const ids = Array.from({ length: 21 }, (_, i) => `sub_${shop}_${i + 100}`);
    const outcomes = await Promise.all(ids.map((id) => subscriptions.add(subscription(shop, id), 'whsec_')));

    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(1);
    expect(await subscriptions.list(shop)).toHaveLength(20);
  });
}
