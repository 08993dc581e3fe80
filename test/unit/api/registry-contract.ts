import type { SubscriptionRegistry } from '../../../functions/api/subscription-registry.ts';
import { DELIVERY_POLICY } from '../../../functions/core/delivery-policy.ts';
import { newSubscription, subscriptionRequestSchema } from '../../../functions/core/new-subscription.ts';
import { nextStanding, type Standing } from '../../../functions/core/standing.ts';
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

const at = Date.parse('2026-01-02T00:00:00Z');
const wished = (kind: 'paused' | 'enabled' | 'deleted') => (standing: Standing) =>
  nextStanding(standing, { kind }, at, DELIVERY_POLICY);
const [paused, enabled, ended] = [wished('paused'), wished('enabled'), wished('deleted')];

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
    await subscriptions.remove(added, ended);
  });

  test('what was removed is gone, and cannot be removed again', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_2`);
    await subscriptions.add(added, 'whsec_2');

    expect(await subscriptions.remove(added, ended)).toMatchObject({ after: { state: 'deleted' } });
    expect(await subscriptions.remove(added, ended)).toBeUndefined();
    expect(await subscriptions.find(shop, added.subscription_id)).toBeUndefined();
    expect(await subscriptions.list(shop)).toEqual([]);
  });

  test('a service neither finds nor lists nor removes what belongs to another', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_3`);
    await subscriptions.add(added, 'whsec_3');

    expect(await subscriptions.find(other, added.subscription_id)).toBeUndefined();
    expect(await subscriptions.list(other)).toEqual([]);
    expect(await subscriptions.remove({ ...added, service_id: other }, ended)).toBeUndefined();
    expect(await subscriptions.remove(added, ended)).toMatchObject({ after: { state: 'deleted' } });
  });

  test('how a subscription stands is changed, and found as it was changed', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_4`);
    await subscriptions.add(added, 'whsec_4');

    const change = await subscriptions.changeStanding(added, paused);
    expect(change).toMatchObject({
      before: { state: 'active', circuit: { state: 'closed', revision: 0 } },
      after: { state: 'paused', circuit: { state: 'open', revision: 1, tick: 1 } },
    });
    const found = await subscriptions.find(shop, added.subscription_id);
    expect(found).toEqual({ ...added, ...change?.after });
    expect(await subscriptions.changeStanding(found!, enabled)).toMatchObject({
      before: change?.after,
      after: { state: 'active', circuit: { state: 'draining', revision: 2 } },
    });
    await subscriptions.remove(added, ended);
  });

  test('why a subscription was disabled is forgotten once it is enabled', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_5`);
    await subscriptions.add(added, 'whsec_5');
    await subscriptions.changeStanding(added, (standing) =>
      nextStanding(standing, { kind: 'disabled', reason: 'gone' }, at, DELIVERY_POLICY),
    );
    const disabled = await subscriptions.find(shop, added.subscription_id);
    expect(disabled).toMatchObject({
      state: 'disabled',
      disabled_reason: 'gone',
      disabled_at: '2026-01-02T00:00:00.000Z',
    });

    await subscriptions.changeStanding(disabled!, enabled);

    const active = await subscriptions.find(shop, added.subscription_id);
    expect(active).toMatchObject({ state: 'active' });
    expect(active).not.toHaveProperty('disabled_reason');
    expect(active).not.toHaveProperty('disabled_at');
    await subscriptions.remove(added, ended);
  });

  test('a change that changes nothing leaves a subscription as it was', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_6`);
    await subscriptions.add(added, 'whsec_6');

    const change = await subscriptions.changeStanding(added, enabled);

    expect(change?.after).toBe(change?.before);
    expect(await subscriptions.find(shop, added.subscription_id)).toEqual(added);
    await subscriptions.remove(added, ended);
  });

  test('of changes at the same time none is lost', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_7`);
    await subscriptions.add(added, 'whsec_7');

    const failures = ['a', 'b', 'c'].map((key) =>
      subscriptions.changeStanding(added, (standing) =>
        nextStanding(standing, { kind: 'failed', key, tookMs: 1, isProbe: false }, at, DELIVERY_POLICY),
      ),
    );
    await Promise.all(failures);

    const found = await subscriptions.find(shop, added.subscription_id);
    expect(found?.circuit?.failed_keys.toSorted()).toEqual(['a', 'b', 'c']);
    expect(found?.circuit?.revision).toBe(3);
    await subscriptions.remove(added, ended);
  });

  test('what others change at the same time is removed all the same', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_10`);
    await subscriptions.add(added, 'whsec_10');

    const [removed] = await Promise.all([
      subscriptions.remove(added, ended),
      subscriptions.changeStanding(added, paused),
    ]);

    expect(removed).toMatchObject({ after: { state: 'deleted', circuit: { state: 'draining' } } });
    expect(await subscriptions.find(shop, added.subscription_id)).toBeUndefined();
  });

  test('of what nobody has, or no more, nothing is changed', async () => {
    const subscriptions = registry();
    const never = subscription(shop, `sub_${shop}_8`);
    const gone = subscription(shop, `sub_${shop}_9`);
    await subscriptions.add(gone, 'whsec_9');
    await subscriptions.remove(gone, ended);

    expect(await subscriptions.changeStanding(never, paused)).toBeUndefined();
    expect(await subscriptions.changeStanding(gone, paused)).toBeUndefined();
    expect(await subscriptions.changeStanding({ ...gone, service_id: other }, paused)).toBeUndefined();
    expect(await subscriptions.remove(never, ended)).toBeUndefined();
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

    const [first] = await subscriptions.list(shop);
    await subscriptions.remove(first!, ended);
    expect(await subscriptions.list(shop)).toHaveLength(19);
    expect(await subscriptions.add(subscription(shop, `sub_${shop}_200`), 'whsec_')).toBe('added');
  });
}
