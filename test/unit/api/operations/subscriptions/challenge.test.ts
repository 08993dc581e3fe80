import type { ApiPorts } from '../../../../../functions/api/api-request.ts';
import { inMemoryAuditTrail } from '../../../../../functions/core/api/audit-trail.ts';
import type { Message } from '../../../../../functions/core/message/message.ts';
import type { PingCounts } from '../../../../../functions/core/message/ping.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import { apiOver, registryOfShop } from '../../builders.ts';

const itself = '/v1/subscriptions/sub_1';

/** The API of a stage whose endpoints must prove themselves, over one subscription that has. */
async function given(over: Partial<Subscription> = {}, { mustBeProven = true } = {}) {
  const sent: Message[] = [];
  const counted: string[] = [];
  let counts: PingCounts = { ofSubscription: 1, ofService: 1 };
  const audit = inMemoryAuditTrail();
  const ports: Partial<ApiPorts> = {
    subscriptions: await registryOfShop({ callback_url: 'https://shop.example/hooks', ...over }),
    audit,
    callbackUrls: { mustBeProven, vet: async ({ url }) => ({ kind: 'accepted', url }) },
    send: async (message) => {
      sent.push(message);
      return true;
    },
    countPing: async ({ subscription_id }) => {
      counted.push(subscription_id);
      return counts;
    },
  };
  const api = apiOver(ports);
  let requests = 0;
  const ask = (method: string, path: string, body?: unknown) =>
    api({ method, path, ...(body === undefined ? {} : { body }), requestId: `req_${requests++}` });
  return {
    ask,
    sent,
    counted,
    audit,
    patch: (callback_url: string) => ask('PATCH', itself, { callback_url }),
    tooMany: () => {
      counts = { ofSubscription: 6, ofService: 6 };
    },
  };
}

const wanted = { callback_url: 'https://new.example/hooks', event_types: ['*'], live: false };

test('a new subscription is unproven, and its endpoint is sent a challenge', async () => {
  const { ask, sent } = await given();

  const answer = await ask('POST', '/v1/subscriptions', wanted);

  const { subscription_id, challenge_id } = answer.body;
  expect(answer).toMatchObject({ status: 201, body: { state: 'unproven', circuit: { state: 'open' } } });
  expect(answer.body.circuit).not.toHaveProperty('next_probe_at');
  expect(sent).toMatchObject([
    { message_id: challenge_id, subscription_id, service_id: 'shop', event_type: 'challenge', live: false },
  ]);
  expect(JSON.parse(sent[0]?.resource ?? '')).toEqual({ challenge: expect.stringMatching(/^[\w-]{22}$/) });
});

test('one that is pulled has no endpoint to prove', async () => {
  const { ask, sent } = await given();
  const answer = await ask('POST', '/v1/subscriptions', {
    event_types: ['*'],
    live: false,
    delivery: 'pull',
  });
  expect(answer).toMatchObject({ status: 201, body: { state: 'active' } });
  expect(sent).toEqual([]);
});

test('where the stage asks for no proof, nothing is sent and nothing waits', async () => {
  const { ask, sent, counted, patch } = await given({}, { mustBeProven: false });
  expect(await ask('POST', '/v1/subscriptions', wanted)).toMatchObject({ body: { state: 'active' } });
  expect(await patch('https://other.example/hooks')).toMatchObject({ body: { state: 'active' } });
  expect([sent, counted]).toEqual([[], []]);
});

test.each([
  'https://other.example/hooks',
  'https://shop.example:8443/hooks',
  'https://www.shop.example/hooks',
])('another host has to prove itself: %s', async (url) => {
  const { patch, sent, ask } = await given();
  const { body } = await patch(url);
  expect(body).toMatchObject({ state: 'unproven', callback_url: url, challenge_id: sent[0]?.message_id });
  expect((await ask('GET', itself)).body).toEqual(body);
});

test('another path of the same host does not', async () => {
  const { patch, sent, counted } = await given();
  expect(await patch('https://shop.example/other?v=2')).toMatchObject({ body: { state: 'active' } });
  expect([sent, counted]).toEqual([[], []]);
});

test('an unproven host keeps its challenge on another path, and gets a new one if it is replaced', async () => {
  const { patch, sent } = await given();
  await patch('https://other.example/hooks');
  expect(await patch('https://other.example/elsewhere')).toMatchObject({
    body: { state: 'unproven', challenge_id: sent[0]?.message_id },
  });
  expect(sent).toHaveLength(1);
  expect(await patch('https://third.example/hooks')).toMatchObject({
    body: { state: 'unproven', challenge_id: sent[1]?.message_id },
  });
  expect(sent[1]?.message_id).not.toBe(sent[0]?.message_id);
});

test('a host that changes while it is paused is challenged once it is enabled', async () => {
  const { patch, ask, sent } = await given();
  await ask('POST', `${itself}/pause`);
  expect(await patch('https://other.example/hooks')).toMatchObject({ body: { state: 'paused' } });

  expect(await ask('POST', `${itself}/enable`)).toMatchObject({
    body: { state: 'unproven', challenge_id: sent.at(-1)?.message_id },
  });
});

test('enabling an unproven one sends a new challenge, in place of the last', async () => {
  const { patch, ask, sent, audit } = await given();
  await patch('https://other.example/hooks');

  const { body } = await ask('POST', `${itself}/enable`);

  expect(body).toMatchObject({ state: 'unproven', challenge_id: sent[1]?.message_id });
  expect(audit.entries.map(({ changed }) => changed)).toContainEqual({
    challenge_id: { from: sent[0]?.message_id, to: sent[1]?.message_id },
  });
});

test('enabling a proven one asks for nothing', async () => {
  const { ask, sent, counted } = await given();
  expect(await ask('POST', `${itself}/enable`)).toMatchObject({ body: { state: 'active' } });
  expect([sent, counted]).toEqual([[], []]);
});

test('enabling one ends the wait where the stage asks for no proof any more', async () => {
  const unproven = { state: 'unproven', challenge_id: 'msg_1' } as const;
  const { ask, sent } = await given(unproven, { mustBeProven: false });
  const { body } = await ask('POST', `${itself}/enable`);
  expect(body).toMatchObject({ state: 'active', circuit: { state: 'draining' } });
  expect(body).not.toHaveProperty('challenge_id');
  expect(sent).toEqual([]);
});

test('challenges count as test pings: too many are refused, and nothing changes', async () => {
  const { ask, patch, tooMany, sent } = await given();
  await patch('https://other.example/hooks');
  const before = (await ask('GET', itself)).body;
  tooMany();
  for (const answer of [
    await ask('POST', '/v1/subscriptions', wanted),
    await patch('https://third.example/hooks'),
    await ask('POST', `${itself}/enable`),
  ]) {
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60' },
      body: { type: 'urn:payhooks:problem:too-many-pings' },
    });
  }
  expect((await ask('GET', itself)).body).toEqual(before);
  expect((await ask('GET', '/v1/subscriptions')).body.subscriptions).toHaveLength(1);
  expect(sent).toHaveLength(1);
});
