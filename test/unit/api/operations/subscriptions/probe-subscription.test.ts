import type { ApiPorts } from '../../../../../functions/api/api-request.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { closed, draining, halted, open, probing } from '../../../core/circuit/given/circuits.ts';
import { at } from '../../../pipeline/wake/world.ts';
import { apiOver, registryOfShop } from '../../builders.ts';

/** The API with a subscription of the service `shop`, its clock, and the timers that are armed. */
async function given(over: Partial<Subscription>) {
  let nowMs = TEN_O_CLOCK_MS;
  const armed: Parameters<ApiPorts['arm']>[0][number][] = [];
  const subscriptions = await registryOfShop(over);
  const api = apiOver({
    ...{ subscriptions, now: () => nowMs },
    arm: async (armings) => void armed.push(...armings),
  });
  return {
    ...{ armed, subscriptions },
    probe: () => api({ method: 'POST', path: '/v1/subscriptions/sub_1/probe' }),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('behind an open circuit a probe is due at once, and no backlog is sent', async () => {
  const { probe, armed } = await given({ circuit: open() });
  expect(await probe()).toMatchObject({
    status: 200,
    body: { state: 'active', circuit: { state: 'open', next_probe_at: at(0) } },
  });
  expect(armed).toEqual([
    {
      timer: { v: 1, kind: 'circuit', service_id: 'shop', subscription_id: 'sub_1', generation: 4 },
      dueAtMs: TEN_O_CLOCK_MS,
    },
  ]);
});

test('once a minute: sooner it is refused, with the seconds that are left', async () => {
  const { probe, pass, armed } = await given({ circuit: open() });
  await probe();
  armed.length = 0;
  pass(17_500);
  expect(await probe()).toMatchObject({
    status: 429,
    headers: { 'retry-after': '43' },
    body: {
      type: 'urn:payhooks:problem:too-many-probes',
      detail: 'A probe was asked for less than a minute ago. Ask again in 43 s.',
    },
  });
  expect(armed).toEqual([]);
  pass(42_500);
  expect(await probe()).toMatchObject({ status: 200 });
});

test('of two who ask at the same moment, one gets it', async () => {
  const { probe } = await given({ circuit: open() });
  const both = await Promise.all([probe(), probe()]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
});

test.each([
  ['closed', { circuit: closed() }, 'Messages are sent as they come: there is nothing to probe.'],
  ['never failed', {}, 'Messages are sent as they come: there is nothing to probe.'],
  ['probed', { circuit: probing() }, 'The endpoint is being probed right now.'],
  ['draining', { circuit: draining() }, 'What waits is being sent already, a few payments at a time.'],
  [
    'opened by hand',
    { circuit: halted() },
    'We hold its messages back until we resume sending: write to us.',
  ],
  [
    'paused',
    { state: 'paused', circuit: halted() },
    'The subscription is paused: enable it, and its messages are sent.',
  ],
  [
    'disabled',
    { state: 'disabled', circuit: halted() },
    'The subscription is disabled: enable it, and its messages are sent.',
  ],
  [
    'pulled',
    { delivery: 'pull', callback_url: '' },
    'Messages of this subscription are fetched from its feed: ask that.',
  ],
] as const)('%s: there is nothing to probe, and why', async (_, over, detail) => {
  const { probe, armed } = await given(over);
  expect(await probe()).toMatchObject({ status: 409, body: { detail } });
  expect(armed).toEqual([]);
});

test('nobody else has it, and nobody has a deleted one', async () => {
  const { probe, subscriptions } = await given({ circuit: open() });
  const there = (await subscriptions.find('shop', 'sub_1'))!;
  await subscriptions.revise(there, (now) => ({ subscription: { ...now, state: 'deleted' } }));
  expect(await probe()).toMatchObject({ status: 404 });
});
