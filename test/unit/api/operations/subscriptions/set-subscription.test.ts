import type { ApiPorts } from '../../../../../functions/api/api-request.ts';
import { inMemoryRegistry } from '../../../../../functions/core/api/subscription-registry.ts';
import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import {
  endpointHealthOf,
  nextEndpointHealth,
} from '../../../../../functions/core/circuit/endpoint-health.ts';
import { withEndpointHealth } from '../../../../../functions/core/subscription/subscription.ts';
import { keptSecrets, subscription, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { apiOver } from '../../builders.ts';

const itself = '/v1/subscriptions/sub_1';
const gone = { kind: 'disabled', reason: 'gone' } as const;

/** The API with one subscription of the service `shop`, and the timers it arms. */
async function given(ports: Partial<ApiPorts> = {}) {
  const subscriptions = inMemoryRegistry();
  const own = subscription({ service_id: 'shop' });
  await subscriptions.add(own, keptSecrets());
  const armed: Parameters<ApiPorts['arm']>[0][number][] = [];
  const api = apiOver({
    subscriptions,
    arm: async (armings) => void armed.push(...armings),
    ...ports,
  });
  const disable = () =>
    subscriptions.revise(own, (current) => ({
      subscription: withEndpointHealth(
        current,
        nextEndpointHealth(endpointHealthOf(current), gone, TEN_O_CLOCK_MS, DELIVERY_POLICY),
      ),
    }));
  return { api, armed, disable, subscriptions };
}

function circuitTimer(generation: number, dueAtMs: number) {
  const timer = {
    v: 1,
    kind: 'circuit',
    service_id: 'shop',
    subscription_id: 'sub_1',
    generation: generation,
  };
  return { timer, dueAtMs };
}

test('a paused subscription is not probed; its timer is due in five minutes', async () => {
  const { api, armed } = await given();

  const answer = await api({ method: 'POST', path: `${itself}/pause` });

  expect(answer).toMatchObject({
    status: 200,
    body: {
      subscription_id: 'sub_1',
      state: 'paused',
      circuit: { state: 'open', since: '2026-11-14T10:00:00.000Z' },
    },
  });
  expect(answer.body.circuit).not.toHaveProperty('next_probe_at');
  expect((await api({ path: itself })).body).toEqual(answer.body);
  expect(armed).toEqual([circuitTimer(1, TEN_O_CLOCK_MS + 300_000)]);
});

test('enabling a subscription delivers its backlog at once', async () => {
  const { api, armed } = await given();
  await api({ method: 'POST', path: `${itself}/pause` });
  armed.length = 0;

  expect(await api({ method: 'POST', path: `${itself}/enable` })).toMatchObject({
    status: 200,
    body: { state: 'active', circuit: { state: 'draining', since: '2026-11-14T10:00:00.000Z' } },
  });
  expect(armed).toEqual([circuitTimer(2, TEN_O_CLOCK_MS)]);
});

test('a disabled subscription cannot be paused', async () => {
  const { api, armed, disable } = await given();
  await disable();

  expect(await api({ method: 'POST', path: `${itself}/pause` })).toMatchObject({
    status: 409,
    body: {
      type: 'urn:payhooks:problem:subscription-disabled',
      detail: 'The subscription is disabled: enable it before you pause it.',
    },
  });
  expect((await api({ path: itself })).body).toMatchObject({ state: 'disabled', disabled_reason: 'gone' });
  expect(armed).toEqual([]);
});

test('deleting a subscription cancels its backlog at once', async () => {
  const { api, armed } = await given();
  await api({ method: 'POST', path: `${itself}/pause` });
  armed.length = 0;

  expect(await api({ method: 'DELETE', path: itself })).toMatchObject({ status: 204 });
  expect(armed).toEqual([circuitTimer(2, TEN_O_CLOCK_MS)]);
});

test('a timer too far ahead is left to sweep', async () => {
  const circuit = { ...DELIVERY_POLICY.circuit, longestCoolDownMs: 3_600_000 };
  const { api, armed } = await given({ policy: { ...DELIVERY_POLICY, circuit } });

  expect(await api({ method: 'POST', path: `${itself}/pause` })).toMatchObject({ status: 200 });
  expect(armed).toEqual([]);
});

test.each(['pause', 'enable'])(
  '%s does not find a subscription that is deleted while it runs',
  async (action) => {
    const { api, subscriptions } = await given();
    const overtaken = { ...subscriptions, revise: async () => undefined };

    const answer = await apiOver({ subscriptions: overtaken })({
      method: 'POST',
      path: `${itself}/${action}`,
    });

    expect(answer).toMatchObject({ status: 404 });
    expect(await api({ path: itself })).toMatchObject({ status: 200 });
  },
);

test('changes of endpoint health are reported; a request that changes nothing is reported as no change', async () => {
  const reported: string[] = [];
  const { api } = await given({
    endpointHealthChanged: ({ service_id, subscription_id }, { before, after }) =>
      reported.push(
        `${service_id} ${subscription_id}: ${before === after ? 'no change' : `${before.state} -> ${after.state}`}`,
      ),
  });

  await api({ method: 'POST', path: `${itself}/pause` });
  await api({ method: 'POST', path: `${itself}/pause` });
  await api({ method: 'POST', path: `${itself}/enable` });
  await api({ method: 'DELETE', path: itself });
  await api({ method: 'DELETE', path: itself });

  expect(reported).toEqual([
    'shop sub_1: active -> paused',
    'shop sub_1: paused -> active',
    'shop sub_1: active -> deleted',
  ]);
});

describe('the entity tag of the settings', () => {
  const tagOf = ({ headers }: { headers: object }) => (headers as Record<string, string>).etag!;

  test.each(['pause', 'enable'])('changes with %s, and the old one is refused', async (action) => {
    const { api } = await given();
    if (action === 'enable') {
      await api({ method: 'POST', path: `${itself}/pause` });
    }
    const old = tagOf(await api({ path: itself }));
    const conditional = { method: 'POST', path: `${itself}/${action}`, headers: { 'if-match': old } };

    const done = await api(conditional);
    expect(done.status).toBe(200);
    expect(tagOf(done)).not.toBe(old);
    expect(tagOf(await api({ path: itself }))).toBe(tagOf(done));
    expect(await api(conditional)).toMatchObject({
      status: 412,
      headers: { etag: tagOf(done) },
      body: { type: 'urn:payhooks:problem:precondition-failed' },
    });
  });

  test('stays the same when the endpoint disables the subscription', async () => {
    const { api, subscriptions } = await given();
    const old = tagOf(await api({ path: itself }));
    const [own] = await subscriptions.list('shop');
    const disabled = withEndpointHealth(
      own!,
      nextEndpointHealth(endpointHealthOf(own!), gone, TEN_O_CLOCK_MS, DELIVERY_POLICY),
    );

    const other = apiOver({ subscriptions: { ...subscriptions, find: async () => disabled } });
    expect(tagOf(await other({ path: itself }))).toBe(old);
  });
});
