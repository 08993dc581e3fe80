import type { Answer } from '../../../../functions/core/api/answer.ts';
import { etagOf } from '../../../../functions/core/api/etag.ts';
import type { Revised, SubscriptionRegistry } from '../../../../functions/core/api/subscription-registry.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { type KeptSecrets, newGeneration } from '../../../../functions/core/attempt/signing-keys.ts';
import {
  type EndpointHealthInput,
  endpointHealthOf,
  nextEndpointHealth,
} from '../../../../functions/core/circuit/endpoint-health.ts';
import { ContendedError } from '../../../../functions/core/errors/contended-error.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { withEndpointHealth } from '../../../../functions/core/subscription/subscription.ts';
import { keptSecrets, subscription as someSubscription } from '../../../support/builders.ts';

function subscription(service_id: string, subscription_id: string): Subscription {
  return someSubscription({ service_id, subscription_id, revision: 1 });
}

const at = Date.parse('2026-01-02T00:00:00Z');
const health = (input: EndpointHealthInput) => (current: Subscription) => {
  const before = endpointHealthOf(current);
  const after = nextEndpointHealth(before, input, at, DELIVERY_POLICY);
  return { subscription: after === before ? current : withEndpointHealth(current, after) };
};
const [paused, enabled, ended] = (['paused', 'enabled', 'deleted'] as const).map((kind) =>
  health({ kind }),
) as [ReturnType<typeof health>, ReturnType<typeof health>, ReturnType<typeof health>];
const described = (description: string) => (current: Subscription) => ({
  subscription: { ...current, description },
});
const afterOf = (revised: Revised | Answer | undefined) => (revised as Revised).after;

/**
 * What every `SubscriptionRegistry` promises. `registry` returns one without subscriptions of these services.
 */
export function registryPromises(
  registry: () => SubscriptionRegistry,
  secretsOf: (registry: SubscriptionRegistry, subscriptionId: string) => Promise<KeptSecrets | undefined>,
  [shop, other]: readonly [string, string],
): void {
  test('an added subscription is found and listed unchanged', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_1`);

    expect(await subscriptions.add(added, keptSecrets())).toBe('added');
    expect(await subscriptions.find(shop, added.subscription_id)).toEqual(added);
    expect(await subscriptions.list(shop)).toEqual([added]);
    await subscriptions.revise(added, ended);
  });

  test('a deleted subscription is gone, and cannot be deleted again', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_2`);
    await subscriptions.add(added, keptSecrets());

    expect(await subscriptions.revise(added, ended)).toMatchObject({ after: { state: 'deleted' } });
    expect(await subscriptions.revise(added, ended)).toBeUndefined();
    expect(await subscriptions.find(shop, added.subscription_id)).toBeUndefined();
    expect(await subscriptions.list(shop)).toEqual([]);
  });

  test('a service neither finds nor lists nor changes subscriptions of another service', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_3`);
    await subscriptions.add(added, keptSecrets());

    expect(await subscriptions.find(other, added.subscription_id)).toBeUndefined();
    expect(await subscriptions.list(other)).toEqual([]);
    expect(await subscriptions.revise(added, ended)).toMatchObject({ after: { state: 'deleted' } });
  });

  test('a change is stored under the next revision', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_11`);
    await subscriptions.add(added, keptSecrets());

    const revised = await subscriptions.revise(added, described('invoices'));

    expect(revised).toEqual({ before: added, after: { ...added, description: 'invoices', revision: 2 } });
    expect(await subscriptions.find(shop, added.subscription_id)).toEqual(afterOf(revised));
    await subscriptions.revise(afterOf(revised), ended);
  });

  test('new event types are routed at once, and removed ones no longer', async () => {
    const subscriptions = registry();
    const added = { ...subscription(shop, `sub_${shop}_12`), contact: 'ops@shop.example' };
    await subscriptions.add(added, keptSecrets());

    const revised = await subscriptions.revise(added, ({ contact: _, ...current }) => ({
      subscription: { ...current, event_types: ['card_payment_captured'] },
    }));

    const [listed] = await subscriptions.list(shop);
    expect(listed).toEqual(afterOf(revised));
    expect(listed).not.toHaveProperty('contact');
    await subscriptions.revise(afterOf(revised), ended);
  });

  test('a refused change is not written, and the refusal is returned', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_13`);
    await subscriptions.add(added, keptSecrets());

    expect(await subscriptions.revise(added, () => ({ status: 418 }))).toEqual({ status: 418 });
    expect(await subscriptions.find(shop, added.subscription_id)).toEqual(added);
    await subscriptions.revise(added, ended);
  });

  test('of concurrent changes one succeeds, and the others decide again on its result', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_14`);
    await subscriptions.add(added, keptSecrets());
    const conditional = (description: string) =>
      subscriptions.revise(added, (current) =>
        etagOf(current) === etagOf(added) ? described(description)(current) : { status: 412 },
      );

    const outcomes = await Promise.all(['a', 'b', 'c'].map(conditional));

    expect(outcomes.filter((outcome) => 'status' in outcome!)).toHaveLength(2);
    expect(await subscriptions.find(shop, added.subscription_id)).toMatchObject({ revision: 2 });
    await subscriptions.revise(added, ended);
  });

  test('secrets and headers change together with what is shown of them', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_15`);
    await subscriptions.add(added, keptSecrets());
    const { info, keys } = newGeneration({
      id: Buffer.alloc(12, 2),
      secret: `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
      seed: Buffer.alloc(32, 2),
      createdAt: '2026-11-14T10:00:00.000Z',
    });

    const first = await subscriptions.revise(added, (current) => ({
      subscription: { ...current, signing_secrets: [info], custom_header_names: ['x-shop'] },
      secrets: {
        added: { info, keys },
        expiring: { sec_1: '2026-11-15T10:00:00.000Z' },
        customHeaders: { 'x-shop': 'bakery' },
      },
    }));
    expect(await secretsOf(subscriptions, added.subscription_id)).toEqual({
      secrets: {
        sec_1: { ...keptSecrets().secrets.sec_1, expires_at: '2026-11-15T10:00:00.000Z' },
        [info.secret_id]: keys,
      },
      custom_headers: { 'x-shop': 'bakery' },
    });

    const second = await subscriptions.revise(afterOf(first), (current) => ({
      subscription: { ...current },
      secrets: { removed: ['sec_1'], customHeaders: {} },
    }));
    expect(await secretsOf(subscriptions, added.subscription_id)).toEqual({
      secrets: { [info.secret_id]: keys },
      custom_headers: {},
    });

    await subscriptions.revise(afterOf(second), ended);
    expect(await secretsOf(subscriptions, added.subscription_id)).toBeUndefined();
  });

  test('a change of endpoint health is stored', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_4`);
    await subscriptions.add(added, keptSecrets());

    const revised = await subscriptions.revise(added, paused);
    expect(revised).toMatchObject({
      before: { state: 'active' },
      after: { state: 'paused', circuit: { state: 'open', revision: 1, generation: 1 } },
    });
    const found = await subscriptions.find(shop, added.subscription_id);
    expect(found).toEqual(afterOf(revised));
    expect(await subscriptions.revise(found!, enabled)).toMatchObject({
      before: found,
      after: { state: 'active', circuit: { state: 'draining', revision: 2 } },
    });
    await subscriptions.revise(added, ended);
  });

  test('enabling a subscription removes the reason why it was disabled', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_5`);
    await subscriptions.add(added, keptSecrets());
    await subscriptions.revise(added, health({ kind: 'disabled', reason: 'gone' }));
    const disabled = await subscriptions.find(shop, added.subscription_id);
    expect(disabled).toMatchObject({
      state: 'disabled',
      disabled_reason: 'gone',
      disabled_at: '2026-01-02T00:00:00.000Z',
    });

    await subscriptions.revise(disabled!, enabled);

    const active = await subscriptions.find(shop, added.subscription_id);
    expect(active).toMatchObject({ state: 'active' });
    expect(active).not.toHaveProperty('disabled_reason');
    expect(active).not.toHaveProperty('disabled_at');
    await subscriptions.revise(added, ended);
  });

  test('a change that changes nothing writes nothing', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_6`);
    await subscriptions.add(added, keptSecrets());

    const revised = await subscriptions.revise(added, enabled);

    expect(revised).toEqual({ before: added, after: added });
    expect(await subscriptions.find(shop, added.subscription_id)).toEqual(added);
    await subscriptions.revise(added, ended);
  });

  test('no concurrent change is lost', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_7`);
    await subscriptions.add(added, keptSecrets());

    const failures = ['a', 'b', 'c'].map((key) =>
      subscriptions.revise(
        added,
        health({ kind: 'failed', key, answer: 'unwell', isNews: true, isProbe: false }),
      ),
    );
    await Promise.all(failures);

    const found = await subscriptions.find(shop, added.subscription_id);
    expect(found?.circuit?.failed_ordering_keys.toSorted()).toEqual(['a', 'b', 'c']);
    expect(found?.circuit?.revision).toBe(3);
    expect(found?.revision).toBe(4);
    await subscriptions.revise(added, ended);
  });

  test('a delete succeeds despite concurrent changes', async () => {
    const subscriptions = registry();
    const added = subscription(shop, `sub_${shop}_10`);
    await subscriptions.add(added, keptSecrets());

    const [deleted] = await Promise.all([
      subscriptions.revise(added, ended),
      subscriptions.revise(added, paused),
    ]);

    expect(deleted).toMatchObject({ after: { state: 'deleted', circuit: { state: 'draining' } } });
    expect(await subscriptions.find(shop, added.subscription_id)).toBeUndefined();
  });

  test('a subscription that is gone when it is read again is not changed', async () => {
    const subscriptions = registry();
    const gone = subscription(shop, `sub_${shop}_9`);
    await subscriptions.add(gone, keptSecrets());
    await subscriptions.revise(gone, ended);

    expect(await subscriptions.revise(gone, paused)).toBeUndefined();
    expect(await subscriptions.revise({ ...gone, service_id: other }, paused)).toBeUndefined();
    expect(await subscriptions.revise(subscription(shop, `sub_${shop}_8`), paused)).toBeUndefined();
  });

  test('what is not a subscription is not found', async () => {
    expect(await registry().find(shop, 'routes')).toBeUndefined();
  });

  test('of subscriptions added concurrently, twenty are accepted', async () => {
    const subscriptions = registry();
    const ids = Array.from({ length: 21 }, (_, i) => `sub_${shop}_${i + 100}`);
    // As a caller does that is told to try again.
    const added = async (id: string): Promise<unknown> => {
      try {
        return await subscriptions.add(subscription(shop, id), keptSecrets());
      } catch (error) {
        if (error instanceof ContendedError) return added(id);
        throw error;
      }
    };
    const outcomes = await Promise.all(ids.map(added));

    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(1);
    expect(await subscriptions.list(shop)).toHaveLength(20);

    const [first] = await subscriptions.list(shop);
    await subscriptions.revise(first!, ended);
    expect(await subscriptions.list(shop)).toHaveLength(19);
    expect(await subscriptions.add(subscription(shop, `sub_${shop}_200`), keptSecrets())).toBe('added');
  });
}
