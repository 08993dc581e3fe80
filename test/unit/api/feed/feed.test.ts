import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { Webhook } from 'standardwebhooks';
import { FEED_OPERATIONS } from '../../../../functions/api/feed/feed-operations.ts';
import type { FeedPorts } from '../../../../functions/api/feed/feed-ports.ts';
import { operationsApi } from '../../../../functions/api/operations-api.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import type { InBacklog } from '../../../../functions/core/ordering/circuit-timer.ts';
import type { Waiting } from '../../../../functions/core/ordering/ports.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { keptSecrets, subscription } from '../../../support/builders.ts';
import { paymentToTest } from '../../../support/promises/payment-to-test.ts';
import { other, requestEvent } from '../builders.ts';

const PULLED = { service_id: 'shop', delivery: 'pull', callback_url: '' } as const;
const NOW_MS = Date.parse('2026-11-14T10:00:05.000Z');

/** A feed over tables in memory, with one waiting message for each of these. */
function feed(one: Partial<Subscription> = PULLED, ...records: Partial<MessageRecord>[]) {
  const own = subscription({ subscription_id: 'sub_1', ...one });
  const signals: string[] = [];
  const queues = new Map<string, Waiting>();
  const keys = new Map<string, InBacklog>();
  for (const over of records) {
    const payment = paymentToTest('sub_1');
    const record = payment.record(1, { resource: '{"amount":1}', ...over });
    keys.set(record.ordering_key, payment.key.inBacklog);
    queues.set(record.ordering_key, { queuedMessage: payment.queued(1), record });
  }
  let ids = 0;
  const ports: FeedPorts = {
    async lookUp({ subscriptions: [wanted] }) {
      const isIt = wanted?.service_id === own.service_id && wanted.subscription_id === own.subscription_id;
      const found = isIt ? new Map([[own.subscription_id, own]]) : new Map();
      const secrets = new Map([[own.subscription_id, keptSecrets()]]);
      const none = { keys: new Map(), records: new Map(), resources: new Map() };
      return { ...none, subscriptions: found, secrets, internalErrors: new Map(), untaken: new Set() };
    },
    backlog: async () => [...keys.values()],
    waitingIn: async (key) => ({ waiting: [queues.get(key)!], isAll: true }),
    async hold(key, until) {
      const known = keys.get(key.ordering_key)!;
      keys.set(key.ordering_key, { ...known, check_at: until });
      return known.check_at === key.check_at;
    },
    async lease({ ordering_key }, lease) {
      const known = queues.get(ordering_key)!;
      queues.set(ordering_key, { ...known, queuedMessage: { ...known.queuedMessage, lease } });
      return true;
    },
    async endLease({ ordering_key, id }, result) {
      const known = queues.get(ordering_key);
      const lease = known?.queuedMessage.lease;
      if (known === undefined || lease?.id !== id) {
        return undefined;
      }
      const ended = { ...lease, result: lease.result ?? result };
      queues.set(ordering_key, { ...known, queuedMessage: { ...known.queuedMessage, lease: ended } });
      return ended;
    },
    async signal(some) {
      signals.push(...some.map(({ signal_kind, payment_id }) => `${signal_kind} ${payment_id}`));
    },
    extend: async () => {},
    policy: { totalAgeMs: 76 * 3_600_000 },
    now: () => NOW_MS,
    newId: () => `id-${++ids}`,
  };
  const api = operationsApi(FEED_OPERATIONS, ports, new Logger({ logLevel: 'SILENT' }));
  async function ask(request: Partial<Parameters<typeof requestEvent>[0]> = {}) {
    const event = requestEvent({ path: '/v1/subscriptions/sub_1/feed', ...request });
    const answer = await api(event, {} as Context, () => {});
    return { status: answer.statusCode, body: JSON.parse(answer.body ?? '{}') };
  }
  const report = (...results: object[]) =>
    ask({ method: 'POST', path: '/v1/subscriptions/sub_1/feed/results', body: { results } });
  return { ask, report, signals, keys, queues };
}

test('a message comes as a POST would have had it, leased for as long as was asked', async () => {
  const { ask, queues } = feed(PULLED, {});
  const { status, body } = await ask({ query: 'lease_seconds=60' });
  expect(status).toBe(200);
  const [message] = body.messages;
  expect(message).toMatchObject({ attempt: 1, leased_until: '2026-11-14T10:01:05.000Z' });
  expect(JSON.parse(message.body)).toMatchObject({
    webhook_message_id: message.message_id,
    resource: { amount: 1 },
  });
  expect(message.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': message.message_id,
    'webhook-timestamp': String(NOW_MS / 1_000),
    'webhook-attempt': '1',
  });
  const [secret] = Object.values(keptSecrets().secrets);
  jest.useFakeTimers({ now: NOW_MS });
  expect(new Webhook(secret!.secret).verify(message.body, message.headers)).toBeTruthy();
  jest.useRealTimers();
  expect([...queues.values()][0]?.queuedMessage.lease).toMatchObject({ id: 'id-1' });
  expect((await ask()).body).toEqual({ messages: [] });
});

test('at most as many come as were asked for, one of each payment', async () => {
  const { ask } = feed(PULLED, {}, {}, {});
  expect((await ask({ query: 'limit=2' })).body.messages).toHaveLength(2);
  expect((await ask({ query: 'limit=2' })).body.messages).toHaveLength(1);
});

test.each([
  ['has ended', { state: 'cancelled' }],
  ['expired', { expires_at: '2026-11-14T10:00:04.000Z' }],
  ['has no body any more', { body_erased_at: '2026-11-14T10:00:04.000Z' }],
] as const)('a message that %s is left to deliver', async (_, over) => {
  const { ask, signals } = feed(PULLED, over);
  expect((await ask()).body).toEqual({ messages: [] });
  expect(signals).toEqual([expect.stringMatching(/^resume pay-/)]);
});

test('the first result of a lease counts, and deliver is asked to settle it', async () => {
  const { ask, report, signals, queues } = feed(PULLED, {});
  const [{ lease_id }] = (await ask()).body.messages;
  expect((await report({ lease_id, outcome: 'failed', status_code: 503, reason: 'busy' })).body).toEqual({
    results: [{ lease_id, state: 'recorded' }],
  });
  expect([...queues.values()][0]?.queuedMessage.lease?.result).toEqual({
    outcome: 'failed',
    status_code: 503,
    reason: 'busy',
    at: '2026-11-14T10:00:05.000Z',
  });
  expect((await report({ lease_id, outcome: 'delivered' })).body.results[0].state).toBe('already_recorded');
  expect(signals).toHaveLength(2);
});

test('a result twice in one list counts once', async () => {
  const { ask, report } = feed(PULLED, {});
  const [{ lease_id }] = (await ask()).body.messages;
  const { body } = await report({ lease_id, outcome: 'delivered' }, { lease_id, outcome: 'delivered' });
  expect(body.results.map(({ state }: { state: string }) => state)).toEqual(['recorded', 'already_recorded']);
});

test('a result of a lease that has ended, is of another subscription or is made up changes nothing', async () => {
  const { ask, report, queues, signals } = feed(PULLED, {});
  const [{ lease_id }] = (await ask()).body.messages;
  const [name, known] = [...queues][0]!;
  const result = { outcome: 'ended', at: '2026-11-14T10:00:35.000Z' } as const;
  const lease = { ...known.queuedMessage.lease!, result };
  queues.set(name, { ...known, queuedMessage: { ...known.queuedMessage, lease } });
  const made = `lea_${Buffer.from('["pay-1","0001","id-9"]').toString('base64url')}`;
  const odd = ['lea_', 'nonsense', `lea_${Buffer.from('["../x","1","y"]').toString('base64url')}`];
  const { status, body } = await report(
    ...[lease_id, made, ...odd].map((id) => ({ lease_id: id, outcome: 'delivered' })),
  );
  expect(status).toBe(200);
  expect(new Set(body.results.map(({ state }: { state: string }) => state))).toEqual(
    new Set(['not_in_hand']),
  );
  expect(signals).toEqual([]);
});

test.each([
  ['a push subscription', { service_id: 'shop' }, {}, 409, 'wrong-delivery'],
  ['a deleted subscription', { ...PULLED, state: 'deleted' }, {}, 404, 'not-found'],
  ['a subscription of another service', PULLED, { context: other }, 404, 'not-found'],
  ['no subscription', PULLED, { path: '/v1/subscriptions/sub_9/feed' }, 404, 'not-found'],
  ['more than may be pulled', PULLED, { query: 'limit=21' }, 400, 'malformed-request'],
  ['too short a lease', PULLED, { query: 'lease_seconds=4' }, 400, 'malformed-request'],
  [
    'a token that only reads',
    PULLED,
    { context: { ...other, service_id: 'shop', scopes: 'read' } },
    403,
    'insufficient-scope',
  ],
  ['another method', PULLED, { method: 'DELETE' }, 405, 'method-not-allowed'],
] as const)('the feed of %s is refused', async (_, one, request, status, kind) => {
  const { ask } = feed(one as Partial<Subscription>, {});
  expect(await ask(request)).toMatchObject({ status, body: { type: `urn:payhooks:problem:${kind}` } });
});

test.each(['0x5', '1e1', ' 5 ', '+5', '05', '5.0', '0', '-5', ''])(
  '%j is no number of a query',
  async (text) => {
    const { ask } = feed(PULLED, {});
    const query = String(new URLSearchParams({ limit: text, lease_seconds: text }));
    const { status, body } = await ask({ query });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { field: 'limit', reason: 'must be a whole number from 1 to 20' },
      { field: 'lease_seconds', reason: 'must be a whole number from 5 to 900' },
    ]);
  },
);

test('a paused subscription hands out nothing', async () => {
  const { ask, keys } = feed({ ...PULLED, state: 'paused' }, {});
  const before = [...keys.values()];
  expect((await ask()).body).toEqual({ messages: [] });
  expect([...keys.values()]).toEqual(before);
});

test.each([
  ['no results', { results: [] }],
  ['too many', { results: Array.from({ length: 21 }, () => ({ lease_id: 'lea_x', outcome: 'delivered' })) }],
  ['an outcome that there is not', { results: [{ lease_id: 'lea_x', outcome: 'ended' }] }],
  ['a reason of several lines', { results: [{ lease_id: 'lea_x', outcome: 'failed', reason: 'a\nb' }] }],
])('%s: refused', async (_, body) => {
  const { ask } = feed();
  const path = '/v1/subscriptions/sub_1/feed/results';
  expect((await ask({ method: 'POST', path, body })).status).toBe(400);
});
